package dev.towtank.apiserver;

import java.util.LinkedHashMap;
import java.util.Map;

/// What the rules on a request's way have to say about it, for the audit log.
///
/// A request has one, and whoever decides something writes into it. The one of a caller that nobody records keeps
/// nothing.
public final class Notes {

    public static final Notes NONE = new Notes(false);

    private static final int MOST = 64;
    private static final int LONGEST = 8192;

    private final boolean kept;
    // Guarded by this: a request that took too long is written down while it is still worked on.
    private final Map<String, String> values = new LinkedHashMap<>(4);

    private Notes(boolean kept) {
        this.kept = kept;
    }

    public static Notes empty() {
        return new Notes(true);
    }

    public boolean isKept() {
        return kept;
    }

    /// The last word counts: a write that is decided again speaks again.
    ///
    /// @param key such as `pod-security.kubernetes.io/audit-violations`
    /// @param value never a secret
    public void put(String key, String value) {
        if (kept) {
            add(key, value.length() > LONGEST ? value.substring(0, LONGEST) + "…" : value);
        }
    }

    private synchronized void add(String key, String value) {
        if (values.size() < MOST || values.containsKey(key)) {
            values.put(key, value);
        }
    }

    public synchronized Map<String, String> all() {
        return new LinkedHashMap<>(values);
    }

    @Override
    public String toString() {
        return all().toString();
    }
}
