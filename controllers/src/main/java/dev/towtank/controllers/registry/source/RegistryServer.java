package dev.towtank.controllers.registry.source;

import dev.towtank.cluster.web.WebHandler;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The distribution protocol, for those who show a token.
public final class RegistryServer implements WebHandler {

    private static final Pattern PLACE =
            Pattern.compile("/v2/(.+)/(blobs/uploads/?|blobs|manifests|tags)(?:/([^/]*))?");
    private static final Pattern UPLOAD = Pattern.compile("/v2/(.+)/blobs/uploads(?:/([^/]*))?");
    private static final Pattern PIECE = Pattern.compile("(\\d{1,18})-(\\d{1,18})");
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{0,18})");
    private static final int LARGEST_MANIFEST = 4 << 20;
    private static final int MOST_NAMES = 1000;
    private static final String USUAL_TYPE = "application/vnd.oci.image.manifest.v1+json";

    private final RegistryStore store;
    private final Uploads uploads;
    private final RegistryRights rights;
    private volatile boolean swept;

    /// @param namespaces the identities of those that exist
    public RegistryServer(
            Path directory, Function<String, Optional<String>> namespaces, RegistryRights rights, InstantSource clock) {
        this(new RegistryStore(directory, namespaces, clock), Uploads.Limits.USUAL, rights, clock);
    }

    RegistryServer(RegistryStore store, Uploads.Limits limits, RegistryRights rights, InstantSource clock) {
        this.store = store;
        this.uploads = new Uploads(store.uploads(), limits, clock);
        this.rights = rights;
    }

    /// Once, when it is known which namespaces there are.
    public void sweep() throws IOException {
        store.sweep();
        swept = true;
    }

    public boolean isSwept() {
        return swept;
    }

    @Override
    public WebResponse handle(WebRequest request) throws IOException, InterruptedException {
        WebResponse answer;
        try {
            var caller = rights.caller(request.header("authorization"));
            answer = caller.isEmpty() ? whoAreYou() : answer(request, caller.get());
        } catch (RegistryRefusal e) {
            answer = e.response();
        }
        return answer.with("Docker-Distribution-API-Version", "registry/2.0");
    }

    private static WebResponse whoAreYou() {
        return new RegistryRefusal(
                        401, "UNAUTHORIZED", "authentication required: a token of a ServiceAccount as password")
                .response()
                .with("WWW-Authenticate", "Basic realm=\"towtank registry\"");
    }

    private WebResponse answer(WebRequest request, RegistryRights.Caller caller) throws IOException {
        var path = request.path();
        if (path.equals("/v2/") || path.equals("/v2")) {
            return WebResponse.json(200, Json.Obj.EMPTY);
        }
        if (path.equals("/v2/_catalog")) {
            return catalog(request, caller);
        }
        var upload = UPLOAD.matcher(path);
        var place = upload.matches() ? upload : PLACE.matcher(path);
        if (!place.matches()) {
            throw new RegistryRefusal(404, "NAME_UNKNOWN", "nothing is here");
        }
        var repository = Repository.parse(place.group(1));
        boolean isRead = List.of("GET", "HEAD").contains(request.method());
        boolean isAllowed = (isRead && !upload.matches())
                ? rights.mayPull(caller, repository.namespace())
                : rights.mayPush(caller, repository.namespace());
        if (!isAllowed) {
            throw RegistryRefusal.denied("requested access to the resource is denied: " + caller.user() + " may not "
                    + (isRead ? "pull from " : "push to ") + repository.namespace());
        }
        return upload.matches()
                ? upload(request, caller, repository, name(upload, 2))
                : part(request, repository, place);
    }

    private static String name(Matcher matcher, int group) {
        var name = matcher.group(group);
        return name == null ? "" : name;
    }

    private WebResponse part(WebRequest request, Repository repository, Matcher place) throws IOException {
        var name = name(place, 3);
        return switch (place.group(2)) {
            case "blobs" -> blob(request, repository, name);
            case "manifests" -> manifest(request, repository, name);
            case "tags" -> tags(request, repository);
            default -> throw new RegistryRefusal(404, "NAME_UNKNOWN", "nothing is here");
        };
    }

    private WebResponse upload(WebRequest request, RegistryRights.Caller caller, Repository repository, String name)
            throws IOException {
        var digest = request.parameter("digest");
        return switch (request.method()) {
            case "POST" -> begin(request, caller, repository, digest);
            case "PATCH" -> {
                uploads.append(repository, name, begins(request), request.body());
                yield accepted(202, repository, name);
            }
            case "PUT" -> {
                uploads.append(repository, name, begins(request), request.body());
                yield finished(repository, name, digest);
            }
            case "GET", "HEAD" -> accepted(204, repository, name);
            case "DELETE" -> {
                uploads.cancel(repository, name);
                yield WebResponse.empty(204);
            }
            default -> throw unsupported();
        };
    }

    private WebResponse begin(WebRequest request, RegistryRights.Caller caller, Repository repository, String digest)
            throws IOException {
        var mounted = request.parameter("mount");
        var from = request.parameter("from");
        if (!mounted.isEmpty() && !from.isEmpty()) {
            var source = Repository.parse(from);
            if (rights.mayPull(caller, source.namespace()) && store.mount(repository, source, mounted)) {
                return created(repository, mounted);
            }
        }
        var name = uploads.begin(repository);
        if (digest.isEmpty()) {
            return accepted(202, repository, name);
        }
        uploads.append(repository, name, -1, request.body());
        return finished(repository, name, digest);
    }

    private WebResponse finished(Repository repository, String name, String digest) throws IOException {
        store.add(repository, digest, uploads.finish(repository, name, digest));
        return created(repository, digest);
    }

    private static WebResponse created(Repository repository, String digest) {
        return WebResponse.empty(201)
                .with("Location", "/v2/" + repository.path() + "/blobs/" + digest)
                .with("Docker-Content-Digest", digest);
    }

    private WebResponse accepted(int status, Repository repository, String name) throws IOException {
        long size = uploads.size(repository, name);
        return WebResponse.empty(status)
                .with("Location", "/v2/" + repository.path() + "/blobs/uploads/" + name)
                .with("Docker-Upload-UUID", name)
                .with("Range", "0-" + Math.max(0, size - 1));
    }

    private static long begins(WebRequest request) throws RegistryRefusal {
        var text =
                request.header("content-range").replaceFirst("^bytes[ =]", "").replaceFirst("/.*", "");
        if (text.isEmpty()) {
            return -1;
        }
        var piece = PIECE.matcher(text);
        if (!piece.matches()) {
            throw new RegistryRefusal(416, "BLOB_UPLOAD_INVALID", "a Content-Range is two numbers of bytes");
        }
        return Long.parseLong(piece.group(1));
    }

    private WebResponse blob(WebRequest request, Repository repository, String digest) throws IOException {
        if (!List.of("GET", "HEAD").contains(request.method())) {
            throw unsupported();
        }
        var file = store.blob(repository, digest);
        long size = Files.size(file);
        var range = RANGE.matcher(request.header("range"));
        long from = range.matches() ? Long.parseLong(range.group(1)) : 0;
        long to = range.matches() && !range.group(2).isEmpty()
                ? Math.min(Long.parseLong(range.group(2)), size - 1)
                : size - 1;
        if (range.matches() && (from >= size || to < from)) {
            throw new RegistryRefusal(416, "BLOB_UNKNOWN", "the blob has " + size + " bytes");
        }
        var answer = new WebResponse(
                        range.matches() ? 206 : 200,
                        List.of(new WebResponse.Header("Content-Type", "application/octet-stream")),
                        to - from + 1,
                        out -> {
                            try (var in = FileChannel.open(file)) {
                                long at = from;
                                var target = Channels.newChannel(out);
                                while (at <= to) {
                                    at += in.transferTo(at, to - at + 1, target);
                                }
                            }
                        })
                .with("Docker-Content-Digest", digest)
                .with("Accept-Ranges", "bytes");
        return range.matches() ? answer.with("Content-Range", "bytes " + from + "-" + to + "/" + size) : answer;
    }

    private WebResponse manifest(WebRequest request, Repository repository, String reference) throws IOException {
        return switch (request.method()) {
            case "GET", "HEAD" -> {
                var stored = store.manifest(repository, reference);
                yield WebResponse.of(200, stored.type(), Files.readAllBytes(stored.file()))
                        .with("Docker-Content-Digest", stored.digest());
            }
            case "PUT" -> {
                var type =
                        request.header("content-type").replaceFirst(";.*", "").strip();
                var digest =
                        store.put(repository, reference, type.isEmpty() ? USUAL_TYPE : type, bounded(request.body()));
                yield WebResponse.empty(201)
                        .with("Location", "/v2/" + repository.path() + "/manifests/" + digest)
                        .with("Docker-Content-Digest", digest);
            }
            case "DELETE" -> {
                store.remove(repository, reference);
                yield WebResponse.empty(202);
            }
            default -> throw unsupported();
        };
    }

    private static byte[] bounded(InputStream in) throws IOException {
        var bytes = in.readNBytes(LARGEST_MANIFEST + 1);
        if (bytes.length > LARGEST_MANIFEST) {
            throw new RegistryRefusal(413, "MANIFEST_INVALID", "a manifest has at most " + LARGEST_MANIFEST + " bytes");
        }
        return bytes;
    }

    private WebResponse tags(WebRequest request, Repository repository) throws IOException {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            throw unsupported();
        }
        var all = store.tags(repository);
        var page = page(request, all);
        var answer = WebResponse.json(
                200, Json.Obj.of("name", Json.of(repository.path()), "tags", Json.Arr.ofStrings(page)));
        return linked(answer, "/v2/" + repository.path() + "/tags/list", page, all);
    }

    private WebResponse catalog(WebRequest request, RegistryRights.Caller caller) throws IOException {
        var all = store.repositories().stream()
                .filter(repository -> rights.mayPull(caller, repository.namespace()))
                .map(Repository::path)
                .sorted()
                .toList();
        var page = page(request, all);
        return linked(
                WebResponse.json(200, Json.Obj.of("repositories", Json.Arr.ofStrings(page))),
                "/v2/_catalog",
                page,
                all);
    }

    private static List<String> page(WebRequest request, List<String> all) {
        var after = request.parameter("last");
        var text = request.parameter("n");
        int most = text.matches("\\d{1,6}") ? Math.min(Integer.parseInt(text), MOST_NAMES) : MOST_NAMES;
        return all.stream()
                .filter(name -> after.isEmpty() || name.compareTo(after) > 0)
                .limit(most)
                .toList();
    }

    private static WebResponse linked(WebResponse answer, String path, List<String> page, List<String> all) {
        return page.isEmpty() || page.getLast().equals(all.getLast())
                ? answer
                : answer.with("Link", "<" + path + "?n=" + page.size() + "&last=" + page.getLast() + ">; rel=\"next\"");
    }

    private static RegistryRefusal unsupported() {
        return new RegistryRefusal(405, "UNSUPPORTED", "the operation is unsupported");
    }
}
