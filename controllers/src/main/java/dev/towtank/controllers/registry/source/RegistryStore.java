package dev.towtank.controllers.registry.source;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The images of the registry, in a directory: contents by their digests, once each, and for each repository which of
/// them are its own, of what types, and by which tags. A content that a repository does not have is not there for it,
/// whoever else has it. Nothing that has its name changes.
final class RegistryStore {

    private static final Duration UNUSED = Duration.ofDays(1);

    private final Path directory;
    private final Function<String, Optional<String>> namespaces;
    private final InstantSource clock;

    /// A manifest as it was pushed.
    record Stored(String digest, String type, Path file) {}

    /// @param namespaces the identities of those that exist: what was pushed to one that is gone is gone
    RegistryStore(Path directory, Function<String, Optional<String>> namespaces, InstantSource clock) {
        this.directory = directory;
        this.namespaces = namespaces;
        this.clock = clock;
        try {
            deleteAll(directory.resolve("uploads")); // never finished
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (var part : List.of("blobs", "repositories", "uploads")) {
            directory.resolve(part).toFile().mkdirs();
        }
    }

    Path uploads() {
        return directory.resolve("uploads");
    }

    private Path content(String hex) {
        return directory.resolve("blobs").resolve(hex);
    }

    /// Where a repository is, or would be.
    private Path place(Repository repository) {
        return directory.resolve("repositories").resolve(repository.fileName());
    }

    /// Whether it belongs to the namespace that has its name today.
    private boolean exists(Repository repository) throws IOException {
        var owner = namespaces.apply(repository.namespace());
        var known = text(place(repository).resolve("owner"));
        return known.isPresent() && known.equals(owner);
    }

    private static Optional<String> text(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// To be written to; made where it is not there.
    private synchronized Path own(Repository repository) throws IOException {
        var owner = namespaces
                .apply(repository.namespace())
                .orElseThrow(() -> RegistryRefusal.denied("there is no namespace " + repository.namespace()));
        var place = place(repository);
        if (!exists(repository)) {
            deleteAll(place);
            for (var part : List.of("blobs", "manifests", "tags")) {
                Files.createDirectories(place.resolve(part));
            }
            write(place.resolve("owner"), owner.getBytes(StandardCharsets.UTF_8));
        }
        return place;
    }

    private void write(Path file, byte[] bytes) throws IOException {
        var draft = Files.createTempFile(uploads(), "file", "");
        try (var out = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            var left = java.nio.ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                out.write(left);
            }
            out.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// The file with a content that the repository has.
    Path blob(Repository repository, String digest) throws IOException {
        var hex = Repository.hex(digest);
        if (!exists(repository)
                || !Files.exists(place(repository).resolve("blobs").resolve(hex))) {
            throw RegistryRefusal.unknownBlob();
        }
        return content(hex);
    }

    boolean has(Repository repository, String digest) throws IOException {
        var hex = Repository.hex(digest);
        return exists(repository)
                && Files.exists(place(repository).resolve("blobs").resolve(hex))
                && Files.exists(content(hex));
    }

    /// Takes over a file that is on the disk, with the digest that it really has.
    synchronized void add(Repository repository, String digest, Path file) throws IOException {
        var hex = Repository.hex(digest);
        var place = own(repository);
        if (Files.exists(content(hex))) {
            Files.delete(file);
        } else {
            Files.move(file, content(hex), StandardCopyOption.ATOMIC_MOVE);
        }
        link(place, hex);
    }

    private static void link(Path place, String hex) throws IOException {
        Files.write(place.resolve("blobs").resolve(hex), new byte[0]);
    }

    /// Gives a repository what another one has.
    ///
    /// @return whether that one has it
    synchronized boolean mount(Repository to, Repository from, String digest) throws IOException {
        if (!has(from, digest)) {
            return false;
        }
        link(own(to), Repository.hex(digest));
        return true;
    }

    /// @param reference a tag or a digest
    Stored manifest(Repository repository, String reference) throws IOException {
        if (!exists(repository)) {
            throw RegistryRefusal.unknownManifest();
        }
        var place = place(repository);
        var hex = Repository.isDigest(reference)
                ? Repository.hex(reference)
                : Repository.isTag(reference)
                        ? text(place.resolve("tags").resolve(reference)).orElseThrow(RegistryRefusal::unknownManifest)
                        : "";
        if (hex.isEmpty()) {
            throw RegistryRefusal.unknownManifest();
        }
        var type = text(place.resolve("manifests").resolve(hex)).orElseThrow(RegistryRefusal::unknownManifest);
        return new Stored("sha256:" + hex, type, content(hex));
    }

    /// @return its digest
    synchronized String put(Repository repository, String reference, String type, byte[] bytes) throws IOException {
        var hex = HexFormat.of().formatHex(Sha256.begin().digest(bytes));
        if (Repository.isDigest(reference) ? !reference.equals("sha256:" + hex) : !Repository.isTag(reference)) {
            throw Repository.isDigest(reference)
                    ? RegistryRefusal.wrongDigest()
                    : new RegistryRefusal(400, "TAG_INVALID", "manifest tag did not match URI");
        }
        check(repository, bytes);
        var place = own(repository);
        if (!Files.exists(content(hex))) {
            write(content(hex), bytes);
        }
        write(place.resolve("manifests").resolve(hex), type.getBytes(StandardCharsets.UTF_8));
        if (!Repository.isDigest(reference)) {
            write(place.resolve("tags").resolve(reference), hex.getBytes(StandardCharsets.UTF_8));
        }
        return "sha256:" + hex;
    }

    /// All that a manifest names must be there before.
    private void check(Repository repository, byte[] bytes) throws IOException {
        var json = json(bytes);
        for (var digest : parts(json)) {
            if (!has(repository, digest)) {
                throw new RegistryRefusal(400, "MANIFEST_BLOB_UNKNOWN", "blob unknown to registry: " + digest);
            }
        }
        for (var entry : json.objects("manifests")) {
            var hex = Repository.hex(entry.string("digest"));
            if (!exists(repository)
                    || !Files.exists(place(repository).resolve("manifests").resolve(hex))) {
                throw new RegistryRefusal(400, "MANIFEST_UNKNOWN", "manifest unknown: " + entry.string("digest"));
            }
        }
    }

    private static Json.Obj json(byte[] bytes) throws RegistryRefusal {
        try {
            return JsonText.parseObject(bytes);
        } catch (JsonText.Malformed e) {
            throw new RegistryRefusal(400, "MANIFEST_INVALID", "manifest invalid: it is no JSON object");
        }
    }

    private static List<String> parts(Json.Obj manifest) {
        var parts = new ArrayList<String>();
        if (manifest.has("config")) {
            parts.add(manifest.string("config", "digest"));
        }
        manifest.objects("layers").stream()
                .filter(layer -> !layer.has("urls"))
                .forEach(layer -> parts.add(layer.string("digest")));
        return parts;
    }

    /// A tag alone, or a manifest with all its tags.
    synchronized void remove(Repository repository, String reference) throws IOException {
        var stored = manifest(repository, reference);
        var place = place(repository);
        if (!Repository.isDigest(reference)) {
            Files.delete(place.resolve("tags").resolve(reference));
            return;
        }
        for (var tag : tags(repository)) {
            if (text(place.resolve("tags").resolve(tag))
                    .filter(Repository.hex(stored.digest())::equals)
                    .isPresent()) {
                Files.delete(place.resolve("tags").resolve(tag));
            }
        }
        Files.delete(place.resolve("manifests").resolve(Repository.hex(stored.digest())));
    }

    List<String> tags(Repository repository) throws IOException {
        if (!exists(repository)) {
            throw new RegistryRefusal(404, "NAME_UNKNOWN", "repository name not known to registry");
        }
        return names(place(repository).resolve("tags"));
    }

    List<Repository> repositories() throws IOException {
        var found = new ArrayList<Repository>();
        for (var name : names(directory.resolve("repositories"))) {
            var repository = Repository.ofFile(name);
            if (exists(repository)) {
                found.add(repository);
            }
        }
        return found;
    }

    private static List<String> names(Path place) throws IOException {
        try (var files = Files.list(place)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /// Takes away what nobody can ask for any more.
    synchronized void sweep() throws IOException {
        var used = new HashSet<String>();
        for (var name : names(directory.resolve("repositories"))) {
            var repository = Repository.ofFile(name);
            if (exists(repository)) {
                used.addAll(sweep(repository));
            } else {
                deleteAll(place(repository));
            }
        }
        removeOthers(directory.resolve("blobs"), used);
    }

    /// @return what is left of it
    private Set<String> sweep(Repository repository) throws IOException {
        var place = place(repository);
        var used = new HashSet<>(names(place.resolve("manifests")));
        for (var hex : List.copyOf(used)) {
            for (var part : parts(json(Files.readAllBytes(content(hex))))) {
                used.add(Repository.hex(part));
            }
        }
        removeOthers(place.resolve("blobs"), used);
        used.addAll(names(place.resolve("blobs")));
        return used;
    }

    /// What is new may be part of something that is being pushed.
    private void removeOthers(Path place, Set<String> used) throws IOException {
        var old = clock.instant().minus(UNUSED);
        for (var name : names(place)) {
            if (!used.contains(name)
                    && Files.getLastModifiedTime(place.resolve(name))
                            .toInstant()
                            .isBefore(old)) {
                Files.delete(place.resolve(name));
            }
        }
    }

    private static void deleteAll(Path place) throws IOException {
        if (!Files.exists(place)) {
            return;
        }
        try (var all = Files.walk(place)) {
            for (var path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
