package dev.towtank.node.volumes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/// Unix permissions as numbers.
public final class FileModes {

    private static final PosixFilePermission[] BITS = {
        PosixFilePermission.OTHERS_EXECUTE,
        PosixFilePermission.OTHERS_WRITE,
        PosixFilePermission.OTHERS_READ,
        PosixFilePermission.GROUP_EXECUTE,
        PosixFilePermission.GROUP_WRITE,
        PosixFilePermission.GROUP_READ,
        PosixFilePermission.OWNER_EXECUTE,
        PosixFilePermission.OWNER_WRITE,
        PosixFilePermission.OWNER_READ
    };

    private FileModes() {}

    /// The last nine bits; what else there may be (setuid and the like) is not for containers to ask for.
    static Set<PosixFilePermission> of(int mode) {
        var permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < BITS.length; i++) {
            if ((mode & (1 << i)) != 0) {
                permissions.add(BITS[i]);
            }
        }
        return permissions;
    }

    public static void set(Path path, int mode) throws IOException {
        Files.setPosixFilePermissions(path, of(mode));
    }
}
