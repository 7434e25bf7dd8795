// A random system as a machine with the relations of its events. See tests/random/ for its parts.
//
//     const System system = random_system(seed, *profile_named("mixed"));
//     const SystemMachine current(system);
//     const Relations relations = relations_of(system);
//     run(current.machine(), options, signals);
#pragma once

#include "tests/random/generate.h"
#include "tests/random/machine.h"
#include "tests/random/relations.h"
#include "tests/random/system.h"
#include "tests/random/text.h"
