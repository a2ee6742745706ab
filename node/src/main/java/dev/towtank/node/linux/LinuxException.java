package dev.towtank.node.linux;

import java.io.IOException;

/// A call that the kernel refused.
public final class LinuxException extends IOException {

    private static final long serialVersionUID = 1L;

    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EAGAIN = 11;
    public static final int ECHILD = 10;
    public static final int EACCES = 13;
    public static final int EEXIST = 17;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int EPIPE = 32;
    public static final int ENOTEMPTY = 39;
    public static final int ELOOP = 40;

    private final int errno;

    LinuxException(String what, int errno) {
        super(what + ": " + text(errno));
        this.errno = errno;
    }

    int number() {
        return errno;
    }

    public boolean is(int number) {
        return errno == number;
    }

    private static String text(int errno) {
        return switch (errno) {
            case EPERM -> "operation not permitted";
            case ENOENT -> "no such file or directory";
            case ESRCH -> "no such process";
            case EAGAIN -> "resource temporarily unavailable";
            case EACCES -> "permission denied";
            case EEXIST -> "it is there already";
            case ENOTDIR -> "not a directory";
            case EISDIR -> "is a directory";
            case ENOTEMPTY -> "the directory is not empty";
            case 12 -> "cannot allocate memory";
            case 24 -> "too many open files; raise the limit with 'ulimit -n'";
            case 28 -> "no space left on device";
            case 38 -> "this kernel does not know the call";
            case ELOOP -> "a symbolic link is in the way";
            default -> "error " + errno;
        };
    }
}
