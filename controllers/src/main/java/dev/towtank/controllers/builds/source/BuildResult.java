package dev.towtank.controllers.builds.source;

import java.util.List;

/// How a build ended.
///
/// @param reason empty when it succeeded; otherwise OpenShift's, such as `FetchSourceFailed`
/// @param log its last lines
/// @param commit that was built; empty where there was none
/// @param digest of what was made; empty where nothing was
public record BuildResult(String reason, String message, List<String> log, String commit, String digest) {
    public BuildResult {
        log = List.copyOf(log);
    }

    public boolean isSuccess() {
        return reason.isEmpty();
    }
}
