package dev.towtank.app.run.history;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.model.Json;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/// A run as a file that can leave the machine: its directory without workspaces and without the values of Secrets.
public final class Export {

    /// On a Secret whose values are not in the export.
    public static final String LEFT_OUT = "towtank.dev/values-left-out";

    private static final long LARGEST_FILE = 256L << 20;
    private static final int MOST_FILES = 100_000;

    private Export() {}

    /// @param target a file that ends with .tar.gz, .tgz or .zip, or a directory that is not there yet
    public static void write(RunDirectory run, Path target) throws IOException {
        var record = run.read();
        var parent = target.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new BadInput("Cannot write " + target + ": there is no directory " + parent
                    + ". Make it first, or choose another with -o.");
        }
        var name = target.getFileName().toString();
        if (name.endsWith(".tar.gz") || name.endsWith(".tgz")) {
            writeFile(target, out -> writeTar(out, run, files(run, record)));
        } else if (name.endsWith(".zip")) {
            writeFile(target, out -> writeZip(out, run, files(run, record)));
        } else {
            writeDirectory(target, files(run, record));
        }
    }

    private interface Writing {
        void to(OutputStream out) throws IOException;
    }

    /// Whoever looks at the file sees all of it, or what was there before.
    private static void writeFile(Path target, Writing writing) throws IOException {
        var unfinished = target.resolveSibling("." + target.getFileName() + ".new");
        try (var out = new BufferedOutputStream(Files.newOutputStream(unfinished))) {
            writing.to(out);
        }
        Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void writeTar(OutputStream to, RunDirectory run, Map<String, Content> files) throws IOException {
        try (var out = new GZIPOutputStream(to)) {
            for (var file : files.entrySet()) {
                Tar.write(out, run.id() + "/" + file.getKey(), content(file.getValue()));
            }
            Tar.end(out);
        }
    }

    private static void writeZip(OutputStream to, RunDirectory run, Map<String, Content> files) throws IOException {
        try (var out = new ZipOutputStream(to, StandardCharsets.UTF_8)) {
            for (var file : files.entrySet()) {
                out.putNextEntry(new ZipEntry(run.id() + "/" + file.getKey()));
                out.write(content(file.getValue()));
                out.closeEntry();
            }
        }
    }

    private static void writeDirectory(Path target, Map<String, Content> files) throws IOException {
        try {
            Files.createDirectory(target);
        } catch (FileAlreadyExistsException e) {
            throw new BadInput(
                    target + " exists already: name a new directory, or a file that ends with .tar.gz or .zip");
        }
        for (var file : files.entrySet()) {
            var path = target.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, content(file.getValue()));
        }
    }

    /// Either text or the file that has it.
    private sealed interface Content {
        record Text(String text) implements Content {}

        record Copy(Path file) implements Content {}
    }

    private static byte[] content(Content content) throws IOException {
        return switch (content) {
            case Content.Text(var text) -> text.getBytes(StandardCharsets.UTF_8);
            case Content.Copy(var file) -> Files.readAllBytes(file);
        };
    }

    private static Map<String, Content> files(RunDirectory run, RunRecord record) throws IOException {
        var files = new TreeMap<String, Content>();
        var objects = record.objects().stream().map(Export::withoutValues).toList();
        files.put("objects.yaml", new Content.Text(RunDirectory.yaml(objects)));
        for (var name : List.of("summary.json", "run.yaml", "tasks.yaml")) {
            files.put(name, new Content.Copy(run.path().resolve(name)));
        }
        if (Files.isDirectory(run.logs())) {
            try (var logs = Files.walk(run.logs())) {
                logs.filter(Files::isRegularFile)
                        .forEach(log -> files.put(run.path().relativize(log).toString(), new Content.Copy(log)));
            }
        }
        return files;
    }

    static Json.Obj withoutValues(Json.Obj object) {
        if (!object.string("kind").equals("Secret")
                || !object.string("apiVersion").equals("v1")) {
            return object;
        }
        return object.without("data")
                .without("stringData")
                .with(List.of("metadata", "annotations"), Json.Obj.of(LEFT_OUT, Json.of("true")));
    }

    /// Unpacks what [#write] wrote.
    ///
    /// @param target an empty directory
    public static RunDirectory read(Path file, Path target) throws IOException {
        try (var in = new BufferedInputStream(Files.newInputStream(file))) {
            if (begins(in, 'P', 'K')) {
                readZip(in, file, target);
            } else if (begins(in, 0x1f, 0x8b)) {
                readTar(in, file, target);
            } else {
                throw new BadInput(
                        file + " is no export of a run: it is neither a zip nor a tar.gz file. 'towtank export"
                                + " RUN -o FILE.zip' writes one.");
            }
        } catch (IOException | InvalidPathException e) {
            throw new BadInput(file + " is no export of a run: " + e.getMessage());
        }
        return new RunDirectory(target);
    }

    private static boolean begins(InputStream in, int first, int second) throws IOException {
        in.mark(2);
        boolean begins = in.read() == first && in.read() == second;
        in.reset();
        return begins;
    }

    private static void readTar(InputStream from, Path file, Path target) throws IOException {
        try (var in = new GZIPInputStream(from)) {
            int count = 0;
            for (var entry = Tar.read(in, LARGEST_FILE); entry.isPresent(); entry = Tar.read(in, LARGEST_FILE)) {
                var path = place(entry.get().name(), ++count, file, target);
                Files.write(path, entry.get().content().toByteArray());
            }
        }
    }

    private static void readZip(InputStream from, Path file, Path target) throws IOException {
        try (var in = new ZipInputStream(from, StandardCharsets.UTF_8)) {
            int count = 0;
            for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (entry.isDirectory()) {
                    continue;
                }
                var path = place(entry.getName(), ++count, file, target);
                var content = in.readNBytes((int) LARGEST_FILE + 1); // what the entry says of its size may be wrong
                if (content.length > LARGEST_FILE) {
                    throw new IOException("it has a file that is too large");
                }
                Files.write(path, content);
            }
        }
    }

    /// Where an entry goes; never outside of the target.
    private static Path place(String entry, int count, Path file, Path target) throws IOException {
        var name = Path.of(entry).normalize();
        if (name.isAbsolute() || name.startsWith("..") || name.getNameCount() < 2 || count > MOST_FILES) {
            throw new BadInput(file + " is no export of a run");
        }
        var path = target.resolve(name.subpath(1, name.getNameCount()));
        Files.createDirectories(path.getParent());
        return path;
    }

    /// The little of tar that files of text need.
    static final class Tar {

        private static final int BLOCK = 512;
        private static final int NAME = 100;
        private static final int PREFIX = 155;

        private Tar() {}

        record Entry(String name, ByteArrayOutputStream content) {}

        static void write(OutputStream out, String name, byte[] content) throws IOException {
            var header = new byte[BLOCK];
            int cut = name.length() <= NAME ? -1 : name.indexOf('/', name.length() - NAME - 1);
            if (name.length() > NAME && (cut < 0 || cut > PREFIX)) {
                throw new IOException("the name is too long for an archive: " + name);
            }
            put(header, 0, cut < 0 ? name : name.substring(cut + 1));
            put(header, 100, "0000644\0");
            put(header, 108, "0000000\0");
            put(header, 116, "0000000\0");
            put(header, 124, "%011o\0".formatted(content.length));
            put(header, 136, "00000000000\0");
            put(header, 148, "        ");
            put(header, 156, "0");
            put(header, 257, "ustar\00000");
            put(header, 345, cut < 0 ? "" : name.substring(0, cut));
            int sum = 0;
            for (byte b : header) {
                sum += b & 0xff;
            }
            put(header, 148, "%06o\0 ".formatted(sum));
            out.write(header);
            out.write(content);
            out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
        }

        private static void put(byte[] header, int at, String text) {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(bytes, 0, header, at, bytes.length);
        }

        static void end(OutputStream out) throws IOException {
            out.write(new byte[2 * BLOCK]);
        }

        static Optional<Entry> read(InputStream in, long largest) throws IOException {
            var header = in.readNBytes(BLOCK);
            if (header.length < BLOCK || header[0] == 0) {
                return Optional.empty();
            }
            if (!text(header, 257, 5).equals("ustar") || (header[156] != '0' && header[156] != 0)) {
                throw new IOException("it has entries that are no plain files");
            }
            long size;
            try {
                size = Long.parseLong(text(header, 124, 12).strip(), 8);
            } catch (NumberFormatException e) {
                throw new IOException("it is damaged", e);
            }
            if (size < 0 || size > largest) {
                throw new IOException("it has a file that is too large");
            }
            var content = new ByteArrayOutputStream();
            content.write(in.readNBytes((int) size));
            in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
            var prefix = text(header, 345, PREFIX);
            return Optional.of(new Entry(
                    prefix.isEmpty() ? text(header, 0, NAME) : prefix + "/" + text(header, 0, NAME), content));
        }

        private static String text(byte[] header, int at, int length) {
            int end = at;
            while (end < at + length && header[end] != 0) {
                end++;
            }
            return new String(header, at, end - at, StandardCharsets.UTF_8);
        }
    }
}
