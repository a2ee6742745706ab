package dev.towtank.node.images.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/// A layer that a test makes.
public final class TestLayer {

    private static final Pattern LIBRARY = Pattern.compile("\\s*(?:\\S+ => )?(/\\S+) \\(0x[0-9a-f]+\\)");
    private static final long TIME = 1_700_000_000_000L;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, "UTF-8");
    private boolean finished;

    public TestLayer() {
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        tar.setAddPaxHeadersForNonAsciiNames(true);
    }

    public TestLayer file(String name, String content) throws IOException {
        return file(name, content.getBytes(StandardCharsets.UTF_8), 0644);
    }

    public TestLayer file(String name, byte[] content, int mode) throws IOException {
        var entry = new TarArchiveEntry(name, true);
        entry.setSize(content.length);
        return put(entry, mode, content);
    }

    /// Whose owner is somebody else than root.
    public TestLayer owned(String name, int user, int group) throws IOException {
        return owned(name, user, group, new byte[0]);
    }

    public TestLayer owned(String name, int user, int group, byte[] content) throws IOException {
        var entry = new TarArchiveEntry(name, true);
        entry.setIds(user, group);
        entry.setSize(content.length);
        return put(entry, name.endsWith("/") ? 0755 : 0644, content);
    }

    public TestLayer directory(String name, int mode) throws IOException {
        return put(new TarArchiveEntry(name + "/", true), mode, new byte[0]);
    }

    public TestLayer link(String name, String target) throws IOException {
        return special(name, TarConstants.LF_SYMLINK, target);
    }

    public TestLayer links(String directory, String target, String... names) throws IOException {
        for (var name : names) {
            link(directory + name, target);
        }
        return this;
    }

    public TestLayer hardLink(String name, String target) throws IOException {
        return special(name, TarConstants.LF_LINK, target);
    }

    public TestLayer special(String name, byte type, String target) throws IOException {
        var entry = new TarArchiveEntry(name, type, true);
        entry.setLinkName(target);
        return put(entry, 0644, new byte[0]);
    }

    private TestLayer put(TarArchiveEntry entry, int mode, byte[] content) throws IOException {
        entry.setMode(mode);
        entry.setModTime(TIME);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
        return this;
    }

    /// A root with busybox, under a few of its names, and what it needs.
    public static TestLayer busybox() throws IOException {
        var layer = new TestLayer();
        layer.file("bin/busybox", Files.readAllBytes(Path.of("/bin/busybox").toRealPath()), 0755);
        for (var name : List.of(
                "sh", "cat", "echo", "id", "ls", "sleep", "touch", "rm", "mkdir", "grep", "env", "pwd", "stat", "wc",
                "dd", "test", "true", "sed", "head", "httpd")) {
            layer.link("bin/" + name, "busybox");
        }
        for (var library : libraries()) {
            layer.file(library.substring(1), Files.readAllBytes(Path.of(library)), 0755);
        }
        return layer.file("etc/passwd", "root:x:0:0:root:/root:/bin/sh\napp:x:1234:77:app:/home/app:/bin/sh\n")
                .directory("tmp", 01777);
    }

    private static List<String> libraries() throws IOException {
        var asking = new ProcessBuilder("ldd", "/bin/busybox").start();
        return new String(asking.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(LIBRARY::matcher)
                .filter(match -> match.matches())
                .map(match -> match.group(1))
                .toList();
    }

    public byte[] plain() throws IOException {
        if (!finished) {
            finished = true;
            tar.finish();
        }
        return bytes.toByteArray();
    }

    static byte[] gzipped(byte[] plain) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }
}
