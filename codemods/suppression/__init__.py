"""Comments that tell picklefix to leave something alone: found, understood, added and removed."""
