package dev.towtank.controllers.buckets.source.tool;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `aws s3`: files to and from buckets.
final class S3Commands {

    private static final int ALL = 1_000_000;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    /// `s3://bucket/key`.
    private record Address(String bucket, String key) {

        static boolean is(String text) {
            return text.startsWith("s3://");
        }

        static Address of(String text) {
            var rest = is(text) ? text.substring("s3://".length()) : text;
            int slash = rest.indexOf('/');
            return slash < 0 ? new Address(rest, "") : new Address(rest.substring(0, slash), rest.substring(slash + 1));
        }

        Address below(String name) {
            return new Address(bucket, key.isEmpty() || key.endsWith("/") ? key + name : key + "/" + name);
        }

        @Override
        public String toString() {
            return "s3://" + bucket + "/" + key;
        }
    }

    private final AwsWords words;
    private final S3Client client;
    private final PrintStream out;
    private final PrintStream err;

    S3Commands(AwsWords words, S3Client client, PrintStream out, PrintStream err) {
        this.words = words;
        this.client = client;
        this.out = out;
        this.err = err;
    }

    int run(String command, List<String> rest) throws AwsProblem {
        int wanted = command.equals("cp") ? 2 : 1;
        if (rest.size() > wanted || (rest.size() < wanted && !command.equals("ls"))) {
            throw AwsProblem.words("the following arguments are required: paths");
        }
        return switch (command) {
            case "ls" -> rest.isEmpty() ? buckets() : list(Address.of(rest.getFirst()));
            case "cp" -> copy(rest.getFirst(), rest.getLast());
            case "rm" -> remove(Address.of(rest.getFirst()));
            case "mb" -> {
                client.createBucket(Address.of(rest.getFirst()).bucket);
                told("make_bucket: " + Address.of(rest.getFirst()).bucket);
                yield 0;
            }
            case "rb" -> {
                var bucket = Address.of(rest.getFirst()).bucket;
                if (words.has("--force")) {
                    removeAll(new Address(bucket, ""));
                }
                client.deleteBucket(bucket);
                told("remove_bucket: " + bucket);
                yield 0;
            }
            default -> throw AwsProblem.words("argument subcommand: Invalid choice: " + command);
        };
    }

    private void told(String line) {
        if (!words.has("--quiet") && !words.has("--only-show-errors")) {
            out.println(line);
        }
    }

    private int buckets() throws AwsProblem {
        client.buckets().forEach(name -> out.println(time(Instant.EPOCH.toString()) + " " + name));
        return 0;
    }

    private static String time(String text) {
        return TIME.format(Instant.parse(text).atZone(ZoneId.systemDefault()));
    }

    private int list(Address address) throws AwsProblem {
        boolean isDeep = words.has("--recursive");
        var found = client.list(address.bucket, address.key, isDeep ? "" : "/", "", ALL);
        int from = isDeep ? 0 : address.key.lastIndexOf('/') + 1;
        found.prefixes().forEach(prefix -> out.println(" ".repeat(27) + "PRE " + prefix.substring(from)));
        found.objects()
                .forEach(object -> out.println(String.format(
                        Locale.ROOT,
                        "%s %10s %s",
                        time(object.text("LastModified")),
                        object.text("Size"),
                        object.text("Key").substring(from))));
        boolean isEmpty = found.prefixes().isEmpty() && found.objects().isEmpty();
        return isEmpty && !address.key.isEmpty() ? 1 : 0;
    }

    private int copy(String from, String to) throws AwsProblem {
        if (!Address.is(from) && !Address.is(to)) {
            throw AwsProblem.words("one of the paths must be s3://BUCKET/KEY");
        }
        if (words.has("--recursive")) {
            return Address.is(from) ? copyFrom(Address.of(from), to) : copyTree(Path.of(from), Address.of(to));
        }
        return transfer(from, to) ? 0 : AwsProblem.OF_TRANSFER;
    }

    /// What fails is told, and others go on.
    private boolean transfer(String from, String to) throws AwsProblem {
        var verb = Address.is(from) ? Address.is(to) ? "copy" : "download" : "upload";
        try {
            if (!Address.is(from)) {
                upload(from, named(Address.of(to), Path.of(from).getFileName()));
            } else if (Address.is(to)) {
                var source = Address.of(from);
                var target = named(Address.of(to), Path.of(source.key).getFileName());
                client.copyObject("/" + source.bucket + "/" + source.key, target.bucket, target.key);
            } else {
                download(Address.of(from), to);
            }
        } catch (AwsProblem e) {
            if (e.exit() == AwsProblem.OF_WORDS) {
                throw e;
            }
            err.println(verb + " failed: " + from + " to " + to + " " + e.text());
            return false;
        }
        if (!from.equals("-") && !to.equals("-")) {
            told(verb + ": " + from + " to " + to);
        }
        return true;
    }

    private static Address named(Address target, Path name) {
        return target.key.isEmpty() || target.key.endsWith("/") ? target.below(name.toString()) : target;
    }

    private void upload(String from, Address to) throws AwsProblem {
        if (!from.equals("-")) {
            client.putObject(to.bucket, to.key, Path.of(from), words.metadata());
            return;
        }
        try {
            // How long it is must be said before it is sent.
            var draft = Files.createTempFile("aws", ".part");
            try (var file = Files.newOutputStream(draft)) {
                System.in.transferTo(file);
            }
            client.putObject(to.bucket, to.key, draft, words.metadata());
            Files.delete(draft);
        } catch (IOException e) {
            throw new AwsProblem(AwsProblem.OF_EVERYTHING_ELSE, "cannot keep what is to be sent: " + e.getMessage());
        }
    }

    private void download(Address from, String to) throws AwsProblem {
        if (to.equals("-")) {
            try (var in = client.read(from.bucket, from.key, Map.of())) {
                in.transferTo(out);
            } catch (IOException e) {
                throw new AwsProblem(
                        AwsProblem.OF_EVERYTHING_ELSE, "the object cannot be read to its end: " + e.getMessage());
            }
            return;
        }
        var name = Path.of(from.key).getFileName();
        var file =
                to.endsWith("/") || Files.isDirectory(Path.of(to)) ? Path.of(to).resolve(name) : Path.of(to);
        client.getObject(from.bucket, from.key, file, Map.of());
    }

    private int copyTree(Path from, Address to) throws AwsProblem {
        try (var files = Files.walk(from)) {
            boolean isWhole = true;
            for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                isWhole &= transfer(
                        file.toString(),
                        to.below(from.relativize(file).toString()).toString());
            }
            return isWhole ? 0 : AwsProblem.OF_TRANSFER;
        } catch (IOException e) {
            throw new AwsProblem(AwsProblem.OF_EVERYTHING_ELSE, "The user-provided path " + from + " does not exist.");
        }
    }

    private int copyFrom(Address from, String to) throws AwsProblem {
        boolean isWhole = true;
        for (var object : client.list(from.bucket, from.key, "", "", ALL).objects()) {
            var key = object.text("Key");
            var rest = key.substring(from.key.length()).replaceFirst("^/", "");
            var target = Address.is(to) ? Address.of(to).below(rest).toString() : below(Path.of(to), rest, key);
            isWhole &= transfer("s3://" + from.bucket + "/" + key, target);
        }
        return isWhole ? 0 : AwsProblem.OF_TRANSFER;
    }

    /// A key may be called anything; a file that it names stays below.
    private static String below(Path directory, String rest, String key) throws AwsProblem {
        var file = directory.resolve(rest).normalize();
        if (rest.startsWith("/") || !file.startsWith(directory.normalize())) {
            throw new AwsProblem(AwsProblem.OF_TRANSFER, "warning: the key " + key + " leads out of " + directory);
        }
        return file.toString();
    }

    private int remove(Address address) throws AwsProblem {
        if (words.has("--recursive")) {
            removeAll(address);
        } else {
            client.deleteObject(address.bucket, address.key);
            told("delete: " + address);
        }
        return 0;
    }

    private void removeAll(Address address) throws AwsProblem {
        for (var object : client.list(address.bucket, address.key, "", "", ALL).objects()) {
            client.deleteObject(address.bucket, object.text("Key"));
            told("delete: s3://" + address.bucket + "/" + object.text("Key"));
        }
    }
}
