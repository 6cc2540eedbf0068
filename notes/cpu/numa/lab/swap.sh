#!/bin/sh
# A node that is full, with a disk to swap to.
{ mkswap /dev/mmcblk0 && swapon /dev/mmcblk0; } > /dev/null
/pressure swap
