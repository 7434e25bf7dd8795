// expect: states=889 transitions=1642 deadlocks=0 verdict=proved
// The arbitration of a SCSI-2 bus. A controller gives commands to DISKS disks, up to COMMANDS at a time to each, and
// leaves the bus to others in the meantime; a disk that has finished a command needs the bus to reply. A device that
// needs a free bus raises its line. When the lines have settled, the highest wins, and the others lower theirs until
// the bus is free again. The controller has the highest number. Checked: only one device sends at a time, and the
// controller waits for the commands that the disks have. No line may be raised after they have settled; with -D HASTY
// they are.

#ifndef DISKS
#define DISKS 3
#endif
#ifndef COMMANDS
#define COMMANDS 2
#endif

int lines; // the raised lines, one bit per device
bool settled;
byte sending; // the number of sending devices
chan command = [0] of { byte };
chan reply = [0] of { byte };

#define RAISED (lines & (1 << _pid))
#define HIGHEST ((lines >> _pid) == 1)
#ifdef HASTY
#define MAY_RAISE !RAISED
#else
#define MAY_RAISE (!RAISED && !settled)
#endif

inline raise() {
  lines = lines | (1 << _pid)
}

inline win() {
  lines = 1 << _pid;
  sending++;
  assert(sending == 1)
}

inline leave() {
  sending--;
  lines = 0;
  settled = false
}

active [DISKS] proctype Disk() {
  byte commands;

  do
  :: atomic { command?eval(_pid) -> commands++; assert(commands <= COMMANDS) }
  :: d_step { commands > 0 && MAY_RAISE -> raise() } // one of them is done
  :: d_step { RAISED && settled && HIGHEST -> win() };
    atomic { reply!_pid -> commands--; leave() }
  od
}

active proctype Controller() {
  byte waits_for[DISKS];
  byte disk, other;

  do
  :: atomic {
      MAY_RAISE ->
      select (disk : 0 .. DISKS - 1);
      if
      :: waits_for[disk] < COMMANDS -> raise()
      :: else -> disk = 0
      fi
    }
  :: d_step { RAISED && settled && HIGHEST -> win() };
    atomic { command!disk -> waits_for[disk]++; disk = 0; leave() }
  :: atomic { reply?other -> assert(waits_for[other] > 0); waits_for[other]--; other = 0 }
  od
}

active proctype SettleDelay() {
  do
  :: d_step { lines != 0 && !settled -> settled = true }
  od
}
