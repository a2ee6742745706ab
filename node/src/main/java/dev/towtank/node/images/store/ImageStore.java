package dev.towtank.node.images.store;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.node.linux.FileTree;
import dev.towtank.node.linux.OpenDirectory;
import dev.towtank.node.linux.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The images of this machine, in a directory that several servers and runs may use at once. Nothing in it changes once
/// it has its name: manifests and configurations are in `blobs`, unpacked layers in `layers`, both by their digests; a
/// name is a small file that says which manifest it means. What is not finished is in `partial`, so after a power cut
/// nothing half done is ever used. See decision 20.
public final class ImageStore implements AutoCloseable {

    private static final Duration TOUCHED = Duration.ofHours(1);

    private final Path directory;
    private final UnpackLimits limits;
    private final Optional<Path> user;

    private ImageStore(Path directory, UnpackLimits limits, Optional<Path> user) {
        this.directory = directory;
        this.limits = limits;
        this.user = user;
    }

    /// To look at what is there, and to add to it.
    public static ImageStore open(Path directory, UnpackLimits limits) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (var part : List.of("blobs", "layers", "names", "owners", "partial", "roots", "users")) {
            makePrivate(directory.resolve(part));
        }
        return new ImageStore(directory.toAbsolutePath(), limits, Optional.empty());
    }

    /// To run containers on what is there: until it is closed, no layer goes away.
    public static ImageStore use(Path directory, UnpackLimits limits) throws IOException {
        var store = open(directory, limits);
        int pid = (int) ProcessHandle.current().pid();
        var user = Files.createTempFile(
                store.directory.resolve("users"),
                pid + "." + Processes.started(pid).orElse(0) + ".",
                "");
        return new ImageStore(store.directory, limits, Optional.of(user));
    }

    private static void makePrivate(Path path) throws IOException {
        Files.createDirectories(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
    }

    /// A name of an image.
    ///
    /// @param imported from a file, so no registry need know it
    /// @param size of its layers as they were packed
    public record Named(String name, boolean imported, Digest digest, long size, Instant at) {}

    /// A name for what is to come.
    public record Draft(String name, boolean imported) {}

    public Optional<Named> named(String name) throws IOException {
        return read(nameFile(name));
    }

    public Optional<StoredImage> find(String name) throws IOException {
        var named = read(nameFile(name));
        return named.isEmpty() ? Optional.empty() : find(named.get().digest());
    }

    /// Empty when any part of it is missing.
    public Optional<StoredImage> find(Digest digest) throws IOException {
        var root = directory.resolve("roots").resolve(digest.hex());
        var manifestFile = blob(digest);
        if (!Files.isDirectory(root) || !Files.exists(manifestFile)) {
            return Optional.empty();
        }
        var manifest = Manifest.read(digest.checked(Files.readAllBytes(manifestFile), "manifest"));
        var config = json(manifest.config().checked(Files.readAllBytes(blob(manifest.config())), "config"));
        int layers = config.array("rootfs", "diff_ids").size();
        for (int i = 0; i < layers; i++) {
            if (!Files.isDirectory(root.resolve(Integer.toString(i)))) {
                return Optional.empty();
            }
        }
        return Optional.of(new StoredImage(digest, root, layers, config.object("config"), manifest.size()));
    }

    /// Brings an image here, with the parts of it that are missing.
    ///
    /// @param version a tag or a digest, as the source knows it
    public StoredImage add(Draft draft, String version, ImageSource source, Instant now) throws IOException {
        var bytes = manifest(version, source);
        var digest = Digest.of(bytes);
        var manifest = Manifest.read(bytes);
        Json.Obj config;
        byte[] configBytes;
        try (var in = source.blob(manifest.config(), manifest.configSize())) {
            configBytes = manifest.config().checked(in.readNBytes((int) manifest.configSize()), "config");
            config = json(configBytes);
        }
        Platform.ofThisMachine().check(config);
        var diffs = manifest.diffs(config);
        new LayerFetching(directory, limits).all(manifest.layers(), diffs, source);
        write(blob(manifest.config()), configBytes);
        write(blob(digest), bytes);
        root(digest, diffs);
        name(new Named(draft.name(), draft.imported(), digest, manifest.size(), now));
        return find(digest).orElseThrow(() -> new IOException("the image was taken away while it came"));
    }

    /// How many bytes its layers have as they are packed, as its manifest says.
    public static long size(String version, ImageSource source) throws IOException {
        return Manifest.read(manifest(version, source)).size();
    }

    /// Of the one image for this machine.
    private static byte[] manifest(String version, ImageSource source) throws IOException {
        var bytes = checked(version, source.manifest(version));
        var json = json(bytes);
        if (!json.has("manifests")) {
            return bytes;
        }
        var chosen = Platform.ofThisMachine().choose(json);
        return chosen.checked(source.manifest(chosen.toString()), "manifest");
    }

    private static byte[] checked(String version, byte[] bytes) throws IOException {
        return version.startsWith("sha256:") ? Digest.parse(version).checked(bytes, "manifest") : bytes;
    }

    private void name(Named named) throws IOException {
        var text = Json.Obj.builder()
                .put("name", named.name())
                .put("imported", named.imported())
                .put("digest", named.digest().toString())
                .put("size", named.size())
                .put("at", named.at().toString())
                .build();
        write(nameFile(named.name()), JsonText.write(text).getBytes(StandardCharsets.UTF_8));
    }

    public List<Named> list() throws IOException {
        var all = new ArrayList<Named>();
        try (var files = Files.newDirectoryStream(directory.resolve("names"), "*.json")) {
            for (var file : files) {
                read(file).ifPresent(all::add);
            }
        }
        all.sort(Comparator.comparing(Named::name));
        return all;
    }

    /// @return whether there was one
    public boolean remove(String name) throws IOException {
        return Files.deleteIfExists(nameFile(name));
    }

    /// Takes away what no name needs.
    ///
    /// @return how many layers went; empty when somebody uses the store just now, who may need them
    public Optional<Integer> prune() throws IOException {
        return isInUse() ? Optional.empty() : Optional.of(prune(Set.of()));
    }

    /// @param used by containers, whether they have names or not
    private int prune(Set<Digest> used) throws IOException {
        var needed = new HashSet<String>();
        for (var named : list()) {
            needed.addAll(parts(named.digest()));
        }
        for (var digest : used) {
            needed.addAll(parts(digest));
        }
        int layers = removeOthers("layers", needed);
        removeOthers("owners", needed);
        removeOthers("roots", needed);
        removeOthers("blobs", needed);
        removeOthers("partial", needed);
        return layers;
    }

    private Set<String> parts(Digest digest) throws IOException {
        var parts = new HashSet<String>();
        parts.add(digest.hex());
        var image = find(digest);
        if (image.isPresent()) {
            parts.add(Manifest.read(Files.readAllBytes(blob(digest))).config().hex());
            for (int i = 0; i < image.get().layers(); i++) {
                parts.add(image.get()
                        .root()
                        .resolve(Integer.toString(i))
                        .toRealPath()
                        .getFileName()
                        .toString());
            }
        }
        return parts;
    }

    /// Notes down that a container was started on it.
    public void touch(String name, Instant now) throws IOException {
        var file = nameFile(name);
        try {
            if (Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(TOUCHED))) {
                Files.setLastModifiedTime(file, FileTime.from(now));
            }
        } catch (NoSuchFileException e) {
            // it is used by its digest, or has just gone
        }
    }

    /// What to take away by itself.
    ///
    /// @param unused after this time without a container
    /// @param least which part of the disk must be free; below it, the longest unused images go
    /// @param enough until so much is free
    public record Upkeep(Duration unused, double least, double enough) {
        public static final Upkeep USUAL = new Upkeep(Duration.ofDays(30), 0.15, 0.20);
    }

    /// Takes away images that nobody uses, but none that a file brought: no registry has those. Nothing while others
    /// use the store.
    ///
    /// @param used by containers
    /// @return the names that are gone
    public List<String> collect(Set<Digest> used, Upkeep upkeep, Instant now) throws IOException {
        var gone = new ArrayList<String>();
        if (isInUseByOthers()) {
            return gone;
        }
        var candidates = new ArrayList<Named>();
        for (var named : list()) {
            if (!named.imported() && !used.contains(named.digest())) {
                candidates.add(named);
            }
        }
        candidates.sort(Comparator.comparing(this::lastUse));
        boolean isFull = free() < upkeep.least();
        for (var named : candidates) {
            boolean isOld = lastUse(named).isBefore(now.minus(upkeep.unused()));
            if (isOld || (isFull && free() < upkeep.enough())) {
                remove(named.name());
                gone.add(named.name());
                prune(used);
            }
        }
        return gone;
    }

    private Instant lastUse(Named named) {
        try {
            var touched = Files.getLastModifiedTime(nameFile(named.name())).toInstant();
            return touched.isAfter(named.at()) ? touched : named.at();
        } catch (IOException e) {
            return named.at();
        }
    }

    private double free() throws IOException {
        var disk = Files.getFileStore(directory);
        return disk.getTotalSpace() == 0 ? 1 : (double) disk.getUsableSpace() / disk.getTotalSpace();
    }

    private int removeOthers(String part, Set<String> needed) throws IOException {
        int removed = 0;
        try (var files = Files.newDirectoryStream(directory.resolve(part))) {
            for (var file : files) {
                if (!needed.contains(file.getFileName().toString())) {
                    FileTree.delete(file);
                    removed++;
                }
            }
        }
        return removed;
    }

    private boolean isInUse() throws IOException {
        return !users().isEmpty();
    }

    private boolean isInUseByOthers() throws IOException {
        return users().stream().anyMatch(file -> !Optional.of(file).equals(user));
    }

    /// Those whose processes live.
    private List<Path> users() throws IOException {
        var users = new ArrayList<Path>();
        try (var files = Files.newDirectoryStream(directory.resolve("users"))) {
            for (var file : files) {
                var parts = file.getFileName().toString().split("\\.", 3);
                var started = Processes.started(Integer.parseInt(parts[0]));
                if (started.isPresent() && Long.toString(started.getAsLong()).equals(parts[1])) {
                    users.add(file);
                } else {
                    Files.deleteIfExists(file);
                }
            }
        }
        return users;
    }

    private Path blob(Digest digest) {
        return directory.resolve("blobs").resolve(digest.hex());
    }

    private Path nameFile(String name) {
        return directory
                .resolve("names")
                .resolve(Digest.of(name.getBytes(StandardCharsets.UTF_8)).hex() + ".json");
    }

    private static Optional<Named> read(Path file) throws IOException {
        try {
            var json = json(Files.readAllBytes(file));
            return Optional.of(new Named(
                    json.string("name"),
                    json.flag("imported"),
                    Digest.parse(json.string("digest")),
                    json.integer("size"),
                    Instant.parse(json.string("at"))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// Links to all layers, with names that are short, as the kernel takes no more than a page of them.
    private void root(Digest digest, List<Digest> diffs) throws IOException {
        var draft = Files.createTempDirectory(directory.resolve("partial"), "root");
        for (int i = 0; i < diffs.size(); i++) {
            Files.createSymbolicLink(
                    draft.resolve(Integer.toString(i)),
                    Path.of("../../layers").resolve(diffs.get(i).hex()));
        }
        Furniture.make(draft.resolve("top"));
        var owners = diffs.stream()
                .map(diff -> LayerFetching.owners(directory, diff))
                .toList();
        Files.write(
                draft.resolve(StoredImage.OWNERS),
                FileOwners.together(new LayeredFiles(draft, diffs.size()), owners)
                        .bytes());
        move(draft, directory.resolve("roots").resolve(digest.hex()));
    }

    private void write(Path file, byte[] content) throws IOException {
        var draft = Files.createTempFile(directory.resolve("partial"), "file", "");
        Files.write(draft, content);
        try (var disk = OpenDirectory.of(directory)) {
            disk.sync();
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Gives a directory that is ready its name; somebody else may have been quicker, with the same.
    public static void move(Path draft, Path place) throws IOException {
        if (Files.isDirectory(place)) {
            FileTree.delete(draft);
            return;
        }
        try {
            Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            FileTree.delete(draft);
        }
    }

    static Json.Obj json(byte[] bytes) throws IOException {
        try {
            return JsonText.parseObject(bytes);
        } catch (JsonText.Malformed e) {
            throw new IOException("a part of the image that should be JSON is not: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            if (user.isPresent()) {
                Files.deleteIfExists(user.get());
            }
        } catch (IOException e) {
            // whoever looks there sees that the process is gone
        }
    }
}
