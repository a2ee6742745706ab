package dev.towtank.node.images.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How much a layer may hold: an archive of a few kilobytes can unpack to more than any disk has.
///
/// @param bytes of all its files
/// @param free what must be left on the disk
public record UnpackLimits(long bytes, long entries, long free) {

    public static final UnpackLimits USUAL = new UnpackLimits(32L << 30, 2_000_000, 512L << 20);
    private static final long LOOK = 64L << 20;

    void check(long count, long size, Path place) throws IOException {
        if (size > bytes) {
            throw new IOException("a layer of the image unpacks to more than " + (bytes >> 20) + " MiB");
        }
        if (count > entries) {
            throw new IOException("a layer of the image has more than " + entries + " files");
        }
        boolean isTimeToLook = count % 1024 == 1 || (size / LOOK) != ((size - (1 << 16)) / LOOK);
        if (isTimeToLook && Files.getFileStore(place).getUsableSpace() < free) {
            throw new IOException("no space left on device: less than " + (free >> 20) + " MiB are free at " + place
                    + ". 'towtank images prune' takes away what no image needs.");
        }
    }
}
