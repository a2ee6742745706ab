package dev.towtank.node.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/// Where a file system puts directories. ext4 passes over every inode that was deleted within the last minutes
/// before it makes a new one, and looks near the directory around it: where many are made and deleted in one place,
/// that is most of the work.
public final class Scattering {

    private static final long READ_FLAGS = 0x80086601L; // FS_IOC_GETFLAGS
    private static final long WRITE_FLAGS = 0x40086602L; // FS_IOC_SETFLAGS
    private static final int TOP_OF_HIERARCHIES = 0x20000; // FS_TOPDIR_FL

    private Scattering() {}

    /// Asks the file system to put the directories that will be made in this one far from each other.
    ///
    /// @return whether it does; others than ext4 know no such wish
    public static boolean ask(Path directory) {
        int descriptor = -1;
        try (var arena = Arena.ofConfined()) {
            descriptor = Descriptors.open(directory, 0, 0);
            var flags = arena.allocate(ValueLayout.JAVA_LONG);
            Call.IOCTL.call("read the flags of " + directory, descriptor, READ_FLAGS, flags.address());
            int wanted = flags.get(ValueLayout.JAVA_INT, 0) | TOP_OF_HIERARCHIES;
            flags.set(ValueLayout.JAVA_INT, 0, wanted);
            Call.IOCTL.call("set the flags of " + directory, descriptor, WRITE_FLAGS, flags.address());
            return true;
        } catch (LinuxException e) {
            return false;
        } finally {
            Descriptors.close(descriptor);
        }
    }
}
