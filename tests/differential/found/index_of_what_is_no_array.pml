/* spin: states=6 edges=5 depth=5 deadlocks=0 failures=0 */
typedef T { byte x }
T t;
byte b, several[2] = { 1, 2, 3 };
chan c = [1] of { byte };
init { b[0] = several[1]; t[0].x[0] = b + 1; c[0]!t.x; assert(c?[3] && b == 2) }
