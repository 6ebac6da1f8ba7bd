#!/bin/sh
# SPDX-License-Identifier: MIT
# nvidia-smi, for tests without a GPU. GPU: none, shared, throttled, heats (is throttled once the file $ASKED is there), falls (and has then
# a lower clock); anything else is idle at 1,500 of 2,000 MHz.
[ "$GPU" != none ] || exit 9
reasons=0x0000000000000000
clock=1500
[ "$GPU" != throttled ] || reasons=0x0000000000000040
if [ -e "$ASKED" ]; then
	[ "$GPU" != heats ] || reasons=0x0000000000000040
	[ "$GPU" != falls ] || clock=1200
fi
case $* in
*clocks_event_reasons*) echo 'Field "clocks_event_reasons.active" is not a valid field to query.' && exit 2 ;;
*clocks_throttle_reasons*) echo "$clock, 2000, 0, $reasons" ;;
*driver_version*) echo 555.42 ;;
*compute-apps*) [ "$GPU" != shared ] || echo "4711, python" ;;
*) exit 2 ;;
esac
