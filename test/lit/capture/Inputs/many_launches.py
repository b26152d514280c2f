"""many_launches.py COUNT: a capture of so many different launches, on standard output."""

import sys

print('{"hone_capture":1,"process":1,"by":"a test","command":["./many"]}')
for i in range(int(sys.argv[1])):
    print('{"process":1,"launch":%d,"kernel":"_Z6gatherPKiPKfPfi","grid":[5,1,1],"block":[128,1,1],'
          '"parameters":[[0,8],[8,8],[16,8],[24,4]],"bytes":"%s%08x","pointers":[]}' % (i, "00" * 24, i))
print('{"process":1,"end":true}')
