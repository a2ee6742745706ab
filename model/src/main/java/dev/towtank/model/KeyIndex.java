package dev.towtank.model;

/// Where the keys of a large object are: a hash table with open addresses, whose slots are positions from 1 on.
final class KeyIndex {

    /// Up to so many keys looking at each is quicker.
    static final int SCAN_LIMIT = 12;

    private KeyIndex() {}

    static int[] of(String[] keys) {
        var slots = new int[Integer.highestOneBit(keys.length) * 4];
        for (int i = 0; i < keys.length; i++) {
            int slot = slot(keys[i], slots.length);
            while (slots[slot] != 0) {
                slot = (slot + 1) & (slots.length - 1);
            }
            slots[slot] = i + 1;
        }
        return slots;
    }

    /// The position of a key, or -1.
    static int find(String key, String[] keys, int[] slots) {
        for (int slot = slot(key, slots.length); slots[slot] != 0; slot = (slot + 1) & (slots.length - 1)) {
            int position = slots[slot] - 1;
            if (keys[position].equals(key)) {
                return position;
            }
        }
        return -1;
    }

    private static int slot(String key, int slots) {
        int hash = key.hashCode() * 0x9E3779B9;
        return (hash ^ (hash >>> 16)) & (slots - 1);
    }
}
