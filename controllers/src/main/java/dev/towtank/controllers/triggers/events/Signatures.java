package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.model.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The interceptors of those who host code: is the event of a wanted type, and did the one send it who knows the
/// secret?
final class Signatures {

    private static final Map<String, String> ALGORITHMS =
            Map.of("sha1", "HmacSHA1", "sha256", "HmacSHA256", "sha512", "HmacSHA512");

    private static final Set<String> OWNERS_EVENTS = Set.of("pull_request", "issue_comment");

    private Signatures() {}

    static Json.Obj github(Event event, Json.Obj params, Means means) throws EventRefusal {
        if (event.headers().first("Content-Type").equals("application/x-www-form-urlencoded")) {
            throw new EventRefusal(
                    Code.INVALID_ARGUMENT,
                    "form parameter encoding not supported, please change the hook to send JSON payloads");
        }
        var type = event.headers().first("X-GitHub-Event");
        requireType(params, type);
        if (params.has("secretRef")) {
            var signature = header(event, "X-Hub-Signature-256", Code.FAILED_PRECONDITION, params, "github");
            requireHmac(signature, event.body(), secret(params, "secretRef", means.secrets()), "");
        }
        boolean addsFiles = params.flag("addChangedFiles", "enabled");
        // Upstream forgets the owners when it adds files.
        if (params.flag("githubOwners", "enabled")
                && OWNERS_EVENTS.contains(type)
                && (!addsFiles || means.deviations().has(Deviations.OWNERS))) {
            requireOwner(event, type, params, means);
        }
        return addsFiles ? changedFiles(event, type, params, means) : Json.Obj.EMPTY;
    }

    private static void requireOwner(Event event, String type, Json.Obj params, Means means) throws EventRefusal {
        var checkType = params.string("githubOwners", "checkType");
        var token = token(params.object("githubOwners"), means.secrets(), "error getting github token: ");
        if (token.isEmpty() && !checkType.equals("none")) {
            throw new EventRefusal(
                    Code.FAILED_PRECONDITION,
                    "checkType is set to check org or repo members but no personalAccessToken was supplied");
        }
        var body = bodyOf(event);
        GitHubQuestions.of(event, body, means.gitHub(), token).requireOwner(body, type, checkType);
    }

    private static String token(Json.Obj asking, Secrets secrets, String doing) throws EventRefusal {
        if (!asking.has("personalAccessToken")) {
            return "";
        }
        try {
            if (asking.string("personalAccessToken", "secretKey").isEmpty()) {
                throw new EventRefusal(
                        Code.FAILED_PRECONDITION, doing + "github interceptor personalAccessToken.secretKey is empty");
            }
            return new String(secret(asking, "personalAccessToken", secrets), StandardCharsets.UTF_8).strip();
        } catch (EventRefusal e) {
            throw e.text().startsWith(doing) ? e : new EventRefusal(e.code(), doing + e.text());
        }
    }

    private static Json.Obj bodyOf(Event event) throws EventRefusal {
        if (event.json() instanceof Json.Obj body) {
            return body;
        }
        throw bodyProblem("payload body is empty");
    }

    static Json.Obj gitlab(Event event, Json.Obj params, Secrets secrets) throws EventRefusal {
        requireType(params, event.headers().first("X-Gitlab-Event"));
        if (params.has("secretRef")) {
            var token = header(event, "X-Gitlab-Token", Code.INVALID_ARGUMENT, params, "gitlab");
            if (!MessageDigest.isEqual(token.getBytes(StandardCharsets.UTF_8), secret(params, "secretRef", secrets))) {
                throw new EventRefusal(Code.INVALID_ARGUMENT, "Invalid X-GitLab-Token");
            }
        }
        return Json.Obj.EMPTY;
    }

    static Json.Obj bitbucket(Event event, Json.Obj params, Secrets secrets) throws EventRefusal {
        requireType(params, event.headers().first("X-Event-Key"));
        if (params.has("secretRef")) {
            var signature = header(event, "X-Hub-Signature", Code.INVALID_ARGUMENT, params, "bitbucket");
            requireHmac(signature, event.body(), secret(params, "secretRef", secrets), "error validating signature: ");
        }
        return Json.Obj.EMPTY;
    }

    private static void requireType(Json.Obj params, String type) throws EventRefusal {
        if (params.has("eventTypes") && !params.array("eventTypes").strings().contains(type)) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, "event type " + type + " is not allowed");
        }
    }

    private static String header(Event event, String name, Code missing, Json.Obj params, String interceptor)
            throws EventRefusal {
        if (params.string("secretRef", "secretKey").isEmpty()) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, interceptor + " interceptor secretRef.secretKey is empty");
        }
        var value = event.headers().first(name);
        if (value.isEmpty()) {
            throw new EventRefusal(missing, "no " + name + " header set");
        }
        return value;
    }

    static byte[] secret(Json.Obj params, String field, Secrets secrets) throws EventRefusal {
        var name = params.string(field, "secretName");
        var key = params.string(field, "secretKey");
        return secrets.find(name, key)
                .orElseThrow(() -> new EventRefusal(
                        Code.FAILED_PRECONDITION,
                        "error getting secret: there is no secret \"" + name + "\" with the key \"" + key + "\""));
    }

    static void requireHmac(String signature, String body, byte[] secret, String prefix) throws EventRefusal {
        int sign = signature.indexOf('=');
        var algorithm = sign < 0 ? null : ALGORITHMS.get(signature.substring(0, sign));
        if (algorithm == null) {
            throw new EventRefusal(
                    Code.FAILED_PRECONDITION,
                    prefix + (sign < 0 ? "error parsing signature" : "unknown hash type prefix in the signature"));
        }
        if (secret.length == 0) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, prefix + "the secret is empty");
        }
        try {
            var mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret, algorithm));
            var wanted = mac.doFinal(body.getBytes(StandardCharsets.UTF_8));
            if (MessageDigest.isEqual(wanted, HexFormat.of().parseHex(signature.substring(sign + 1)))) {
                return;
            }
        } catch (IllegalArgumentException e) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, prefix + "error decoding signature");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        throw new EventRefusal(Code.FAILED_PRECONDITION, prefix + "payload signature check failed");
    }

    private static Json.Obj changedFiles(Event event, String type, Json.Obj params, Means means) throws EventRefusal {
        if (!type.equals("pull_request") && !type.equals("push")) {
            return Json.Obj.EMPTY;
        }
        var token = token(params.object("addChangedFiles"), means.secrets(), "error getting secret: ");
        var body = bodyOf(event);
        var questions = GitHubQuestions.of(event, body, means.gitHub(), token);
        var files = type.equals("push") ? filesOfCommits(body) : questions.filesOf(body);
        return Json.Obj.of("changed_files", Json.of(String.join(",", files)));
    }

    private static List<String> filesOfCommits(Json.Obj body) throws EventRefusal {
        var files = new ArrayList<String>();
        for (var commit : body.objects("commits")) {
            for (var change : List.of("added", "modified", "removed")) {
                if (!(commit.get(change) instanceof Json.Arr names)) {
                    throw bodyProblem("payload body missing 'commits.*." + change + "' field");
                }
                files.addAll(names.strings());
            }
        }
        return files;
    }

    private static EventRefusal bodyProblem(String why) {
        return new EventRefusal(Code.FAILED_PRECONDITION, "error parsing body: " + why);
    }
}
