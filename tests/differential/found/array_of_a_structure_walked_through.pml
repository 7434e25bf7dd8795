/* spin: states=11 edges=10 depth=10 deadlocks=0 failures=1 */
typedef T { byte a[3] }
T t[2];
init { byte i; for (i in t[1].a) { t[1].a[i] = 1 } assert(t[1].a[2] == 1) }
