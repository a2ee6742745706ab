package dev.towtank.cluster.registry;

import java.util.regex.Pattern;

/// A registry, by host and port.
public record RegistryHost(String name) {

    private static final Pattern LOCAL = Pattern.compile("(localhost|127\\.[0-9.]+|\\[::1])(:[0-9]+)?");

    /// Whether it is on this machine.
    public boolean isLocal() {
        return LOCAL.matcher(name).matches();
    }

    /// Registries on this machine mostly have no certificate; all others must.
    public String scheme() {
        return isLocal() ? "http" : "https";
    }
}
