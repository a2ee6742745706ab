package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.Signing;
import dev.towtank.controllers.buckets.source.StoredObject.Piece;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// Uploads in parts that are under way in one bucket. They live through a restart, and end when they are completed or
/// aborted.
final class Uploads {

    static final int MOST_PARTS = 10_000;
    private static final int MOST_UPLOADS = 1_000;
    private static final long SMALLEST_PART = 5L << 20;

    /// @param parts by their numbers
    record Upload(
            String id,
            String key,
            Instant begun,
            Map<String, String> headers,
            Path directory,
            NavigableMap<Integer, Part> parts) {}

    record Part(int number, String etag, Instant modified, Piece piece) {

        static Part read(Json.Obj json) {
            return new Part(
                    (int) json.integer("number"),
                    json.string("etag"),
                    Instant.parse(json.string("modified")),
                    Piece.read(json.object("piece")));
        }

        Json.Obj json() {
            return Json.Obj.builder()
                    .put("number", number)
                    .put("etag", etag)
                    .put("modified", modified.toString())
                    .put("piece", piece.json())
                    .build();
        }
    }

    /// A part that the one who completes an upload names.
    record Named(int number, String etag) {}

    private final Path directory;
    private final Bucket bucket;
    private final InstantSource clock;
    private final Map<String, Upload> open = new ConcurrentHashMap<>();

    Uploads(Path directory, Bucket bucket, InstantSource clock) throws IOException {
        this.directory = directory;
        this.bucket = bucket;
        this.clock = clock;
        try (var all = Files.newDirectoryStream(directory)) {
            for (var each : all) {
                load(each);
            }
        }
    }

    private void load(Path each) throws IOException {
        var about = SmallFile.read(each.resolve("upload.json"));
        if (about.isEmpty()) {
            SmallFile.removeTree(each);
            return;
        }
        var json = about.get();
        var upload = new Upload(
                json.string("id"),
                json.string("key"),
                Instant.parse(json.string("begun")),
                json.stringMap("headers"),
                each,
                new ConcurrentSkipListMap<>());
        for (var part : SmallFile.readAll(each)) {
            if (part.has("number")) {
                upload.parts.put((int) part.integer("number"), Part.read(part));
            }
        }
        open.put(upload.id, upload);
    }

    /// Those whose parts are an object already, when the process ended in that moment: to abort them would take the
    /// object's bytes away.
    void forgetCompleted(Set<String> files) throws IOException {
        for (var upload : all()) {
            if (upload.parts.values().stream().anyMatch(part -> files.contains(part.piece.file()))) {
                open.remove(upload.id);
                SmallFile.removeTree(upload.directory);
            }
        }
    }

    List<Piece> pieces() {
        return open.values().stream()
                .flatMap(upload -> upload.parts.values().stream())
                .map(Part::piece)
                .toList();
    }

    List<Upload> all() {
        return open.values().stream()
                .sorted(Comparator.comparing(Upload::key).thenComparing(Upload::begun))
                .toList();
    }

    Upload begin(String key, Map<String, String> headers) throws IOException, S3Refusal {
        if (open.size() >= MOST_UPLOADS) {
            throw new S3Refusal(
                    503,
                    "SlowDown",
                    MOST_UPLOADS + " uploads in parts are under way in this bucket: complete or abort some first");
        }
        var id = UUID.randomUUID().toString();
        var place = Files.createDirectory(directory.resolve(id));
        var upload = new Upload(id, key, clock.instant(), headers, place, new ConcurrentSkipListMap<>());
        SmallFile.write(
                place.resolve("upload.json"),
                Json.Obj.builder()
                        .put("id", id)
                        .put("key", key)
                        .put("begun", upload.begun.toString())
                        .put("headers", Json.Obj.ofStrings(headers))
                        .build());
        open.put(id, upload);
        return upload;
    }

    Upload find(String id, String key) throws S3Refusal {
        return Optional.ofNullable(open.get(id))
                .filter(upload -> upload.key.equals(key))
                .orElseThrow(() -> new S3Refusal(
                        404,
                        "NoSuchUpload",
                        "The specified upload does not exist. The upload ID may be invalid, or the upload may have been "
                                + "aborted or completed."));
    }

    Part put(Upload upload, int number, String etag, Piece piece) throws IOException, S3Refusal {
        var part = new Part(number, etag, bucket.now(), piece);
        Optional<Part> before;
        synchronized (this) {
            find(upload.id, upload.key); // it may have ended meanwhile
            SmallFile.write(upload.directory.resolve("part-" + number), part.json());
            before = Optional.ofNullable(upload.parts.put(number, part));
        }
        if (before.isPresent()) {
            bucket.forget(List.of(before.get().piece()));
        }
        return part;
    }

    void abort(Upload upload) throws IOException {
        synchronized (this) {
            open.remove(upload.id);
            SmallFile.removeTree(upload.directory);
        }
        bucket.forget(upload.parts.values().stream().map(Part::piece).toList());
    }

    StoredObject complete(Upload upload, List<Named> named, Precondition condition) throws IOException, S3Refusal {
        synchronized (this) {
            find(upload.id, upload.key);
            var parts = chosen(upload, named);
            var pieces = parts.stream().map(Part::piece).toList();
            var object = bucket.put(upload.key, etag(parts), upload.headers, pieces, condition);
            open.remove(upload.id);
            SmallFile.removeTree(upload.directory);
            bucket.forget(upload.parts.values().stream()
                    .map(Part::piece)
                    .filter(piece -> !pieces.contains(piece))
                    .toList());
            return object;
        }
    }

    private static List<Part> chosen(Upload upload, List<Named> named) throws S3Refusal {
        var parts = new ArrayList<Part>();
        for (var name : named) {
            var part = upload.parts.get(name.number);
            if (part == null || !part.etag.equals(name.etag)) {
                throw new S3Refusal(
                        400,
                        "InvalidPart",
                        "One or more of the specified parts could not be found: part " + name.number
                                + " was not uploaded, or has another entity tag.");
            }
            if (!parts.isEmpty() && parts.getLast().number >= name.number) {
                throw new S3Refusal(400, "InvalidPartOrder", "The list of parts was not in ascending order.");
            }
            if (!parts.isEmpty() && parts.getLast().piece.size() < SMALLEST_PART) {
                throw new S3Refusal(
                        400,
                        "EntityTooSmall",
                        "Your proposed upload is smaller than the minimum allowed size: part " + parts.getLast().number
                                + ", and only the last may have less than 5 MiB");
            }
            parts.add(part);
        }
        if (parts.isEmpty()) {
            throw S3Refusal.malformed("it names no parts");
        }
        return parts;
    }

    private static String etag(List<Part> parts) {
        var digest = Signing.digest("MD5");
        parts.forEach(part -> digest.update(HexFormat.of().parseHex(part.etag)));
        return HexFormat.of().formatHex(digest.digest()) + "-" + parts.size();
    }
}
