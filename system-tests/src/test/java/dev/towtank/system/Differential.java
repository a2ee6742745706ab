package dev.towtank.system;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.patch.MergePatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A list of requests, as data, and what a server answers to them: ours, or a real kube-apiserver.
final class Differential {

    /// @param text the body with what differs between any two servers taken out: identities, times, revisions
    record Answer(String request, int code, String text) {}

    /// @param moves whether controllers write the status meanwhile, so that it is left out
    /// @param owners whether it is compared who owns the fields
    private record Asked(
            String label,
            String method,
            String path,
            String type,
            String body,
            boolean table,
            boolean moves,
            boolean owners) {}

    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z");
    private static final Pattern REVISION = Pattern.compile("(resourceVersion[\\\\]*\":[\\\\]*\")[0-9]+");

    private static final Pattern AGE = Pattern.compile("\"([0-9]+[smhdy]){1,2}\"");

    /// The whole object, where a message shows it.
    private static final Pattern SHOWN = Pattern.compile("Invalid value: [\\\\]\"\\{.*?(?:\\}[\\\\]\"|\\.\\.\\.): ");

    private final URI server;
    private final String token;
    private final HttpClient client;

    Differential(URI server, String token) {
        this.server = server;
        this.token = token;
        this.client = AnyCertificate.client();
    }

    List<Answer> run(Json.Obj requests) {
        for (var request : requests.objects("setup")) {
            send(asked(Json.Obj.EMPTY, request));
        }
        awaitServed(requests);
        var answers = new ArrayList<Answer>();
        for (var kind : requests.objects("kinds")) {
            for (var request : requests.objects(kind.flag("brief") ? "brief" : "each")) {
                if (!request.array("skip").strings().contains(kind.string("name"))) {
                    answers.add(send(asked(kind, request)));
                }
            }
        }
        for (var request : requests.objects("others")) {
            answers.add(send(asked(Json.Obj.EMPTY, request)));
        }
        return answers;
    }

    // A definition is served a moment after it was accepted.
    private void awaitServed(Json.Obj requests) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        for (var kind : requests.objects("kinds")) {
            var list = new Asked("", "GET", kind.string("path"), "", "", false, true, false);
            while (send(list).code != 200 && System.nanoTime() < end) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private static Asked asked(Json.Obj kind, Json.Obj request) {
        var words = request.string("do").split(" ", 2);
        var suffix = words.length > 1 ? words[1] : "";
        var body = request.get("with") instanceof Json.Obj with
                ? JsonText.write(MergePatch.apply(kind.object("object"), with))
                : request.string("body");
        var type = switch (request.string("type")) {
            case "" -> "application/json";
            case "apply" -> "application/apply-patch+yaml";
            case String patch -> "application/" + patch + "-patch+json";
        };
        return new Asked(
                (kind.string("name") + " " + request.string("do")).strip(),
                words[0],
                kind.string("path") + suffix,
                type,
                body,
                request.flag("table"),
                kind.flag("moves") || request.flag("moves"),
                request.flag("owners"));
    }

    private Answer send(Asked asked) {
        var request = HttpRequest.newBuilder(URI.create(server + asked.path))
                .header("Authorization", "Bearer " + token)
                .header("User-Agent", "differential")
                .method(
                        asked.method,
                        asked.body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(asked.body));
        if (asked.table) {
            request.header("Accept", TABLE);
        }
        if (!asked.body.isEmpty()) {
            request.header("Content-Type", asked.type);
        }
        try {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            var what = asked.label + (asked.body.isEmpty() || asked.body.length() > 80 ? "" : " " + asked.body);
            return new Answer(what, answer.statusCode(), warnings(answer.headers()) + plain(answer.body(), asked));
        } catch (IOException e) {
            throw new UncheckedIOException(asked.label, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String warnings(HttpHeaders headers) {
        return headers.allValues("Warning").stream()
                .map(warning -> "[" + warning + "] ")
                .collect(Collectors.joining());
    }

    private static String plain(String body, Asked asked) {
        var text = body.startsWith("{") ? JsonText.write(sorted(JsonText.parse(body), asked)) : body;
        text = UID.matcher(text).replaceAll("UID");
        text = TIME.matcher(text).replaceAll("TIME");
        text = asked.table ? AGE.matcher(text).replaceAll("\"AGE\"") : text;
        text = SHOWN.matcher(text).replaceAll("Invalid value: OBJECT: ");
        return REVISION.matcher(text).replaceAll("$1N");
    }

    // The order of fields means nothing, and who owns them is compared where the list says so.
    private static Json sorted(Json json, Asked asked) {
        return switch (json) {
            case Json.Obj object -> {
                var fields = new TreeMap<String, Json>();
                boolean isColumn = object.has("format") && object.has("priority");
                object.forEach((key, value) -> {
                    if (isColumn && key.equals("description")) {
                        return; // in our own words
                    }
                    if (asked.owners && value instanceof Json.Arr owners && key.equals("managedFields")) {
                        fields.put(key, sorted(owners(owners, asked), asked));
                        return;
                    }
                    boolean moving = asked.moves && key.equals("status") && value instanceof Json.Obj;
                    if ((asked.owners || !key.equals("managedFields")) && !moving) {
                        fields.put(key, sorted(value, asked));
                    }
                });
                var builder = Json.Obj.builder();
                fields.forEach(builder::put);
                yield builder.build();
            }
            case Json.Arr items -> sorted(items, asked);
            case Json other -> other;
        };
    }

    // Of equal age, they may be told in any order; controllers have theirs in the status.
    private static Json.Arr owners(Json.Arr owners, Asked asked) {
        return new Json.Arr(owners.objects().stream()
                .filter(owner -> !(asked.moves && owner.string("subresource").equals("status")))
                .sorted(Comparator.comparing(
                        owner -> owner.string("manager") + owner.string("operation") + owner.string("subresource")))
                .<Json>map(owner -> owner)
                .toList());
    }

    private static Json sorted(Json.Arr items, Asked asked) {
        var sorted = new ArrayList<Json>();
        items.forEach(item -> sorted.add(sorted(item, asked)));
        return new Json.Arr(sorted);
    }

    static Json.Obj requests() {
        try (var in = Differential.class.getResourceAsStream("/differential/requests.yaml")) {
            if (in == null) {
                throw new IllegalStateException("no list of requests");
            }
            return (Json.Obj) YamlText.parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
