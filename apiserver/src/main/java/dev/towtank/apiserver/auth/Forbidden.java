package dev.towtank.apiserver.auth;

import dev.towtank.model.GroupResource;
import dev.towtank.model.StatusError;
import java.util.Locale;

/// How a denied attempt is told, in Kubernetes' words.
public final class Forbidden {

    private Forbidden() {}

    /// @param reason of the decision, may be empty
    public static StatusError error(Authorizer.Attempt attempt, String reason) {
        var words = withoutHtml(words(attempt));
        var why = reason.isEmpty() ? words : words + ": " + reason;
        return switch (attempt) {
            case Authorizer.OnResource on ->
                StatusError.forbidden(on.target().groupResource(), on.target().name(), why);
            case Authorizer.OnPath _ -> StatusError.forbidden(new GroupResource("", ""), "", why);
        };
    }

    private static String words(Authorizer.Attempt attempt) {
        var who = "User " + quote(attempt.user().name()) + " cannot " + attempt.verb();
        return switch (attempt) {
            case Authorizer.OnPath on -> who + " path " + quote(on.path());
            case Authorizer.OnResource on -> {
                var target = on.target();
                var resource = target.subresource().isEmpty()
                        ? target.resource()
                        : target.resource() + "/" + target.subresource();
                var what = who + " resource " + quote(resource) + " in API group " + quote(target.group());
                yield target.namespace().isEmpty()
                        ? what + " at the cluster scope"
                        : what + " in the namespace " + quote(target.namespace());
            }
        };
    }

    // Some browsers show anything that looks like HTML as HTML, whatever its type is.
    private static String withoutHtml(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /// Quoted as Go's `%q` does.
    static String quote(String text) {
        var quoted = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(each -> {
            switch (each) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (each < ' ' || each == 0x7f) {
                        quoted.append(String.format(Locale.ROOT, "\\x%02x", each));
                    } else {
                        quoted.appendCodePoint(each);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }

    /// Several words as Go's `%q` writes a list: `["a" "b"]`.
    static String quoteAll(Iterable<String> words) {
        var quoted = new StringBuilder("[");
        for (var word : words) {
            quoted.append(quoted.length() > 1 ? " " : "").append(quote(word));
        }
        return quoted.append(']').toString();
    }
}
