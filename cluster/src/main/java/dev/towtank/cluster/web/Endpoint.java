package dev.towtank.cluster.web;

/// A path at the API server's own address, for what is no resource.
///
/// @param prefix with slashes at its beginning and not at its end: it and all below it, in every logical cluster. With
/// a
///     `*` in place of a step, it alone: what others than the store answer about an object of a custom kind, such as
///     `/apis/example.com/v1/namespaces/*/lamps/*/light`
/// @param largestBody in bytes
public record Endpoint(String prefix, Access access, long largestBody, WebHandler handler) {

    /// Enough for what people and programs ask in JSON.
    public static final long USUAL_BODY = 3L << 20;

    private static final String GROUPS = "/apis/";

    public enum Access {
        /// For everybody, without credentials.
        OPEN,
        /// For those whom RBAC allows the path, as nonResourceURLs.
        AUTHORIZED,
        /// For everybody who shows who they are: what they may do, the handler decides.
        AUTHENTICATED
    }

    public Endpoint {
        if (!prefix.startsWith("/") || prefix.endsWith("/")) {
            throw new IllegalArgumentException("no prefix of a path: " + prefix);
        }
    }

    public static Endpoint authorized(String prefix, WebHandler handler) {
        return new Endpoint(prefix, Access.AUTHORIZED, USUAL_BODY, handler);
    }

    /// Whether it is below the path of an API group.
    public boolean isOfGroup(String group) {
        return prefix.startsWith(GROUPS)
                && prefix.startsWith(group, GROUPS.length())
                && prefix.startsWith("/", GROUPS.length() + group.length());
    }

    public boolean covers(String path) {
        if (prefix.contains("*")) {
            return matches(prefix.split("/", -1), path.split("/", -1));
        }
        return path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
    }

    private static boolean matches(String[] pattern, String[] steps) {
        if (pattern.length != steps.length) {
            return false;
        }
        for (int i = 0; i < steps.length; i++) {
            if (pattern[i].equals("*") ? steps[i].isEmpty() : !pattern[i].equals(steps[i])) {
                return false;
            }
        }
        return true;
    }
}
