package dev.towtank.app.render;

import dev.towtank.controllers.rendering.source.ChartStore;
import dev.towtank.controllers.rendering.source.GitBases;
import dev.towtank.controllers.rendering.source.GitFiles;
import dev.towtank.controllers.rendering.source.Login;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/// Where charts, repositories and bases of other machines come from.
///
/// @param authorities certificates in PEM that count beside those of the machine; empty for none
public record Remotes(ChartStore charts, GitFiles git, String authorities) {

    /// What was fetched is kept with what other programs keep for a user.
    ///
    /// @param login that counts more than those which `docker` and `helm` know
    public static Remotes of(
            Map<String, String> environment, InstantSource clock, Optional<Login> login, String authorities) {
        var home = environment.getOrDefault("XDG_CACHE_HOME", environment.getOrDefault("HOME", "/tmp") + "/.cache");
        var known = RegistryLogins.of(environment);
        return new Remotes(
                new ChartStore(
                        Path.of(home, "towtank", "charts"),
                        address -> login.isPresent() ? login : known.apply(address),
                        _ -> authorities),
                new GitFiles(clock, authorities),
                authorities);
    }

    GitBases bases() {
        return new GitBases(git, _ -> authorities);
    }
}
