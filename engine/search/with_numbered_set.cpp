#include "search/with_numbers.h"
#include "store/numbered_set.h"

namespace scrimp {

void number_states(Search& search) {
  const Compress compress = std::get<strategy::Full>(search.options.method.store).compress;
  if (compress == Compress::cleary) return number_entries(search);
  const bool is_tree = compress == Compress::tree && search.expander.machine().words > 1;
  return is_tree ? search_in_order<NumberedSet<TreeSet<0, 1>>, 0>(search)
                 : search_in_order<NumberedSet<PlainSet<0, 1>>, 0>(search);
}

}  // namespace scrimp
