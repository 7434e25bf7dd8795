/* spin: states=13 edges=12 depth=8 deadlocks=1 failures=0 */
chan c = [2] of { byte };
active proctype A() priority 2 { byte y; do :: c?y :: timeout -> break od }
active proctype B() { c!1; c!2; c!3 }
active [2] proctype D() priority 3 { c?2 }
