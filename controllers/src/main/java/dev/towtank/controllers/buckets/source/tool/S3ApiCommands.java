package dev.towtank.controllers.buckets.source.tool;

import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `aws s3api`: one request each, answered in JSON.
final class S3ApiCommands {

    private static final int ALL = 1_000_000;
    private static final String META = "x-amz-meta-";

    private final AwsWords words;
    private final S3Client client;
    private final PrintStream out;

    S3ApiCommands(AwsWords words, S3Client client, PrintStream out) {
        this.words = words;
        this.client = client;
        this.out = out;
    }

    int run(String command, List<String> rest) throws AwsProblem {
        boolean isRead = command.equals("get-object");
        if (rest.size() != (isRead ? 1 : 0)) {
            throw AwsProblem.words(
                    isRead ? "the following arguments are required: outfile" : "Unknown options: " + rest);
        }
        if (words.has("--generate-cli-skeleton")) {
            print(Map.of()); // by which scripts find out whether an option is known
            return 0;
        }
        switch (command) {
            case "list-buckets" -> buckets();
            case "head-bucket" -> client.headBucket(words.required("--bucket"));
            case "create-bucket" -> {
                client.createBucket(words.required("--bucket"));
                print(Map.of("Location", "/" + words.required("--bucket")));
            }
            case "delete-bucket" -> client.deleteBucket(words.required("--bucket"));
            case "list-objects-v2", "list-objects" -> list();
            case "put-object" -> put();
            case "get-object" -> {
                var headers = new HashMap<String, String>();
                words.option("--range").ifPresent(range -> headers.put("range", range));
                client.getObject(
                        words.required("--bucket"), words.required("--key"), Path.of(rest.getFirst()), headers);
                print(described(client.headObject(words.required("--bucket"), words.required("--key"))));
            }
            case "head-object" ->
                print(described(client.headObject(words.required("--bucket"), words.required("--key"))));
            case "delete-object" -> client.deleteObject(words.required("--bucket"), words.required("--key"));
            case "copy-object" ->
                client.copyObject(words.required("--copy-source"), words.required("--bucket"), words.required("--key"));
            default -> throw AwsProblem.words("argument operation: Invalid choice: " + command);
        }
        return 0;
    }

    private void buckets() throws AwsProblem {
        var names = new ArrayList<Object>();
        client.buckets().forEach(name -> names.add(Map.of("Name", name)));
        print(Map.of("Buckets", names));
    }

    private void list() throws AwsProblem {
        int most = words.number("--max-items", words.number("--max-keys", ALL));
        var found = client.list(
                words.required("--bucket"),
                words.option("--prefix").orElse(""),
                words.option("--delimiter").orElse(""),
                words.option("--start-after").orElse(""),
                most);
        var told = new LinkedHashMap<String, Object>();
        var objects = new ArrayList<Object>();
        for (var object : found.objects()) {
            var each = new LinkedHashMap<String, Object>();
            each.put("Key", object.text("Key"));
            each.put("LastModified", object.text("LastModified"));
            each.put("ETag", object.text("ETag"));
            each.put("Size", Long.parseLong(object.text("Size")));
            each.put("StorageClass", "STANDARD");
            objects.add(each);
        }
        if (!objects.isEmpty()) {
            told.put("Contents", objects);
        }
        var prefixes = new ArrayList<Object>();
        found.prefixes().forEach(prefix -> prefixes.add(Map.of("Prefix", prefix)));
        if (!prefixes.isEmpty()) {
            told.put("CommonPrefixes", prefixes);
        }
        if (!told.isEmpty()) {
            print(told);
        }
    }

    private void put() throws AwsProblem {
        var headers = new HashMap<>(words.metadata());
        words.option("--content-type").ifPresent(type -> headers.put("content-type", type));
        words.option("--if-none-match").ifPresent(tag -> headers.put("if-none-match", tag));
        var file = Path.of(words.option("--body").orElse("/dev/null"));
        print(Map.of("ETag", client.putObject(words.required("--bucket"), words.required("--key"), file, headers)));
    }

    private static Map<String, Object> described(HttpURLConnection answer) {
        var told = new LinkedHashMap<String, Object>();
        told.put("LastModified", String.valueOf(answer.getHeaderField("Last-Modified")));
        told.put("ContentLength", answer.getContentLengthLong());
        told.put("ETag", String.valueOf(answer.getHeaderField("ETag")));
        told.put("ContentType", String.valueOf(answer.getContentType()));
        var metadata = new LinkedHashMap<String, Object>();
        answer.getHeaderFields().forEach((name, values) -> {
            if (name != null && name.toLowerCase(Locale.ROOT).startsWith(META)) {
                metadata.put(name.substring(META.length()).toLowerCase(Locale.ROOT), values.getFirst());
            }
        });
        told.put("Metadata", metadata);
        return told;
    }

    private void print(Map<String, Object> value) {
        out.println(SmallJson.text(value, 0));
    }
}
