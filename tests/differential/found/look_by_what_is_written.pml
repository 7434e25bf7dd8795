/* spin: states=6 edges=5 depth=5 deadlocks=0 failures=0 */
chan c = [2] of { byte, byte, byte };
byte x = 1, y;
init { c!1,2,3; c!2,5,6; c??<eval(x),x,y>; assert(y == 3) }
