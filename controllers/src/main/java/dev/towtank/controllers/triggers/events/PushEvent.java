package dev.towtank.controllers.triggers.events;

import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The event that GitHub sends when a branch has moved.
///
/// @param commits the oldest first
public record PushEvent(String url, String branch, String before, String after, List<Commit> commits) {

    private static final String NOTHING = "0".repeat(40);

    public PushEvent {
        commits = List.copyOf(commits);
    }

    public record Commit(
            String id,
            String message,
            Instant time,
            String author,
            String email,
            List<String> added,
            List<String> removed,
            List<String> modified) {

        Json.Obj json() {
            var person = Json.Obj.of("name", Json.of(author), "email", Json.of(email));
            return Json.Obj.builder()
                    .put("id", id)
                    .put("distinct", true)
                    .put("message", message)
                    .put("timestamp", Timestamps.seconds(time))
                    .put("author", person)
                    .put("committer", person)
                    .put("added", Json.Arr.ofStrings(added))
                    .put("removed", Json.Arr.ofStrings(removed))
                    .put("modified", Json.Arr.ofStrings(modified))
                    .build();
        }
    }

    public Json.Obj body() {
        var all = commits.stream().map(Commit::json).collect(Collectors.toList());
        var head = commits.isEmpty() ? Json.Null.NULL : commits.getLast().json();
        var pusher = commits.isEmpty()
                ? Json.Obj.of("name", Json.of("git"))
                : Json.Obj.of("name", Json.of(commits.getLast().author), "email", Json.of(commits.getLast().email));
        return Json.Obj.builder()
                .put("ref", "refs/heads/" + branch)
                .put("before", before)
                .put("after", after)
                .put("created", before.equals(NOTHING))
                .put("deleted", after.equals(NOTHING))
                .put("repository", repository())
                .put("pusher", pusher)
                .put("sender", Json.Obj.of("login", pusher.get("name") instanceof Json.Str name ? name : Json.of("")))
                .put("commits", new Json.Arr(List.<Json>copyOf(all)))
                .put("head_commit", head)
                .build();
    }

    private Json.Obj repository() {
        var path = url.replaceFirst("^[a-z+]+://[^/]*/", "")
                .replaceFirst("^[^/@]+@[^:]+:", "")
                .replaceFirst("\\.git/?$", "");
        var parts = path.split("/", -1);
        var name = parts[parts.length - 1];
        var owner = parts.length > 1 ? parts[parts.length - 2] : "git";
        return Json.Obj.builder()
                .put("name", name)
                .put("full_name", owner + "/" + name)
                .put("owner", Json.Obj.of("login", Json.of(owner), "name", Json.of(owner)))
                .put("html_url", url.replaceFirst("\\.git$", ""))
                .put("clone_url", url)
                .put("url", url)
                .build();
    }

    /// As GitHub's, with a number that is the same whenever the same is told.
    public Headers headers() {
        return new Headers(plain());
    }

    private Map<String, List<String>> plain() {
        var id = UUID.nameUUIDFromBytes(
                String.join("\n", url, branch, before, after).getBytes(StandardCharsets.UTF_8));
        return Map.of(
                "Content-Type", List.of("application/json"),
                "User-Agent", List.of("towtank-git"),
                "X-Github-Event", List.of("push"),
                "X-Github-Delivery", List.of(id.toString()));
    }

    /// With the signature that the interceptor `github` asks for.
    public Headers signed(String body, byte[] secret) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            var all = new HashMap<>(plain());
            all.put(
                    "X-Hub-Signature-256",
                    List.of("sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)))));
            return new Headers(all);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalStateException("no signature with an empty secret", e);
        }
    }
}
