package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.model.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/// Fetches a definition from a web server.
public final class HttpResolver implements Resolver {

    private static final String USER = "http-username";
    private static final String SECRET = "http-password-secret";
    private static final Map<String, Integer> DIGITS = Map.of("sha256", 64, "sha512", 128);

    @Override
    public Installed installed() {
        return new Installed("Http", "http-resolver-config", Map.of("fetch-timeout", "1m"));
    }

    @Override
    public Answer resolve(Question question) throws Problem, InterruptedException {
        var url = checked(question);
        var place = uri(question.rewrites().of(url));
        var headers = question.params().containsKey(USER)
                ? Map.of("Authorization", authorization(question))
                : Map.<String, String>of();
        var page = page(new Fetch(question.limit("fetch-timeout"), LARGEST), place, headers);
        if (!page.isGood()) {
            throw new Problem("requested URL '%s' is not found".formatted(url));
        }
        return checked(question, url, page.text());
    }

    private static Fetch.Page page(Fetch fetch, URI place, Map<String, String> headers)
            throws Problem, InterruptedException {
        try {
            return fetch.get(place, headers);
        } catch (Problem e) {
            throw e.during("error fetching URL");
        }
    }

    private static String checked(Question question) throws Problem {
        var params = question.params();
        var url = params.get("url");
        if (url != null) {
            var scheme = uri(url).getScheme();
            if (!"http".equals(scheme) && !"https".equals(scheme)) {
                throw Problem.invalid("url %s is not a valid http(s) url".formatted(url));
            }
        }
        for (var pair : new String[][] {{USER, SECRET}, {SECRET, USER}}) {
            if (params.containsKey(pair[0]) && !params.containsKey(pair[1])) {
                throw Problem.invalid("missing required param %s when using %s".formatted(pair[1], pair[0]));
            }
            if ("".equals(params.get(pair[0]))) {
                throw Problem.invalid("value %s cannot be empty".formatted(pair[0]));
            }
        }
        if (url == null) {
            throw Problem.invalid("missing required http resolver params: url");
        }
        return url;
    }

    private static URI uri(String url) throws Problem {
        try {
            return URI.create(url);
        } catch (IllegalArgumentException e) {
            throw Problem.invalid("cannot parse url %s: %s".formatted(url, e.getMessage()));
        }
    }

    private static String authorization(Question question) throws Problem {
        var key = question.optional("http-password-secret-key").orElse("password");
        var password = question.credentials().secret("", question.required(SECRET), key);
        var both = (question.required(USER) + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    private static Answer checked(Question question, String url, String text) throws Problem {
        var expected = question.params().get("digest");
        if (expected != null) {
            try {
                compare(expected, text);
            } catch (Problem e) {
                throw e.during("error validating digest");
            }
        }
        var digest = ChildNames.digest("SHA-256", text);
        return new Answer(text, Json.Obj.of("uri", Json.of(url), "digest", Json.Obj.of("sha256", Json.of(digest))));
    }

    private static void compare(String expected, String text) throws Problem {
        int colon = expected.indexOf(':');
        if (colon < 0) {
            throw new Problem("invalid digest format: " + expected);
        }
        var algorithm = expected.substring(0, colon);
        var value = expected.substring(colon + 1);
        var digits = DIGITS.get(algorithm);
        if (digits == null) {
            throw new Problem("invalid digest algorithm: " + algorithm);
        }
        if (value.length() != digits) {
            throw new Problem("invalid %s digest value, expected length: %d, got: %d"
                    .formatted(algorithm, digits, value.length()));
        }
        var actual = ChildNames.digest(algorithm.replace("sha", "SHA-"), text);
        if (!actual.equalsIgnoreCase(value)) {
            throw new Problem("SHA mismatch, expected %s, got %s".formatted(value, actual));
        }
    }
}
