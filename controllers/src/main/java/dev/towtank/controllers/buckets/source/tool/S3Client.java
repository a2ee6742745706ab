package dev.towtank.controllers.buckets.source.tool;

import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.UriText;
import dev.towtank.controllers.buckets.source.XmlReading;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What can be done to buckets and objects.
final class S3Client {

    private static final S3Session.Body NOTHING = new S3Session.Body(InputStream.nullInputStream(), 0);
    private static final int PAGE = 1000;

    /// Something in a list, as it is told there.
    record Entry(Map<String, String> texts) {
        String text(String name) {
            return texts.getOrDefault(name, "");
        }
    }

    /// @param prefixes beginnings up to the delimiter
    record Listing(List<Entry> objects, List<String> prefixes) {}

    private final S3Session session;

    S3Client(S3Session session) {
        this.session = session;
    }

    private static String path(String bucket, String key) {
        return "/" + UriText.encode(bucket, false) + (key.isEmpty() ? "" : "/" + UriText.encode(key, true));
    }

    private static UriText.Parameter parameter(String name, String value) {
        return new UriText.Parameter(name, value);
    }

    private HttpURLConnection simple(String operation, String method, String bucket, String key) throws AwsProblem {
        return session.send(operation, method, path(bucket, key), List.of(), Map.of(), NOTHING);
    }

    /// @param most how many are wanted
    Listing list(String bucket, String prefix, String delimiter, String after, int most) throws AwsProblem {
        var objects = new ArrayList<Entry>();
        var prefixes = new ArrayList<String>();
        var token = "";
        do {
            var query = new ArrayList<>(List.of(parameter("list-type", "2"), parameter("prefix", prefix)));
            query.add(parameter("max-keys", Integer.toString(Math.min(PAGE, most - objects.size()))));
            if (!delimiter.isEmpty()) {
                query.add(parameter("delimiter", delimiter));
            }
            if (!after.isEmpty()) {
                query.add(parameter("start-after", after));
            }
            if (!token.isEmpty()) {
                query.add(parameter("continuation-token", token));
            }
            var page = document(session.send("ListObjectsV2", "GET", path(bucket, ""), query, Map.of(), NOTHING));
            for (var entry : page.entries()) {
                if (entry.getOrDefault("", "").equals("Contents")) {
                    objects.add(new Entry(entry));
                } else {
                    prefixes.add(entry.getOrDefault("Prefix", ""));
                }
            }
            token = page.texts().getOrDefault("NextContinuationToken", "");
        } while (!token.isEmpty() && objects.size() < most);
        return new Listing(objects, prefixes);
    }

    private static XmlReading.Document document(HttpURLConnection answer) throws AwsProblem {
        try (var in = answer.getInputStream()) {
            return XmlReading.read(in, "ListBucketResult", Set.of("Contents", "CommonPrefixes"), PAGE);
        } catch (IOException | S3Refusal e) {
            throw unreadable(e);
        }
    }

    private static AwsProblem unreadable(Exception e) {
        return new AwsProblem(AwsProblem.OF_EVERYTHING_ELSE, "the answer is no document of S3: " + e.getMessage());
    }

    void headBucket(String bucket) throws AwsProblem {
        simple("HeadBucket", "HEAD", bucket, "");
    }

    void createBucket(String bucket) throws AwsProblem {
        simple("CreateBucket", "PUT", bucket, "");
    }

    void deleteBucket(String bucket) throws AwsProblem {
        simple("DeleteBucket", "DELETE", bucket, "");
    }

    HttpURLConnection headObject(String bucket, String key) throws AwsProblem {
        return simple("HeadObject", "HEAD", bucket, key);
    }

    void deleteObject(String bucket, String key) throws AwsProblem {
        simple("DeleteObject", "DELETE", bucket, key);
    }

    /// @return its hash
    String putObject(String bucket, String key, Path file, Map<String, String> headers) throws AwsProblem {
        try (var in = Files.newInputStream(file)) {
            var body = new S3Session.Body(in, Files.size(file));
            return session.send("PutObject", "PUT", path(bucket, key), List.of(), headers, body)
                    .getHeaderField("ETag");
        } catch (IOException e) {
            throw new AwsProblem(AwsProblem.OF_EVERYTHING_ELSE, "The user-provided path " + file + " cannot be read.");
        }
    }

    void copyObject(String source, String bucket, String key) throws AwsProblem {
        var headers = Map.of("x-amz-copy-source", UriText.encode(source, true));
        session.send("CopyObject", "PUT", path(bucket, key), List.of(), headers, NOTHING);
    }

    InputStream read(String bucket, String key, Map<String, String> headers) throws AwsProblem {
        var answer = session.send("GetObject", "GET", path(bucket, key), List.of(), headers, NOTHING);
        try {
            return answer.getInputStream();
        } catch (IOException e) {
            throw new AwsProblem(AwsProblem.OF_EVERYTHING_ELSE, "the object cannot be read: " + e.getMessage());
        }
    }

    /// The file is whole, or as it was before.
    void getObject(String bucket, String key, Path file, Map<String, String> headers) throws AwsProblem {
        var draft = file.resolveSibling(file.getFileName() + ".part");
        try (var in = read(bucket, key, headers)) {
            var parent = file.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.copy(in, draft, StandardCopyOption.REPLACE_EXISTING);
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new AwsProblem(AwsProblem.OF_EVERYTHING_ELSE, "cannot write " + file + ": " + e.getMessage());
        }
    }

    List<String> buckets() throws AwsProblem {
        var answer = session.send("ListBuckets", "GET", "/", List.of(), Map.of(), NOTHING);
        try (var in = answer.getInputStream()) {
            return XmlReading.texts(in, "Name");
        } catch (IOException | S3Refusal e) {
            throw unreadable(e);
        }
    }
}
