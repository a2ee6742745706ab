package dev.towtank.node.volumes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A file of a volume, as it is to be on disk.
public final class VolumeFile {

    private final byte[] content;
    private final int mode;

    public VolumeFile(byte[] content, int mode) {
        this.content = content.clone();
        this.mode = mode;
    }

    public static VolumeFile of(String text, int mode) {
        return new VolumeFile(text.getBytes(StandardCharsets.UTF_8), mode);
    }

    public byte[] content() {
        return content.clone();
    }

    public int mode() {
        return mode;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof VolumeFile that && that.mode == mode && Arrays.equals(that.content, content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content) * 31 + mode;
    }

    // It may be a secret.
    @Override
    public String toString() {
        return "VolumeFile[" + content.length + " bytes, mode " + Integer.toOctalString(mode) + "]";
    }
}
