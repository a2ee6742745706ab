package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.controllers.pipelinesascode.runs.RunReports;
import dev.towtank.model.Resource;
import java.io.IOException;

/// Tells forges how runs have ended.
public final class Reporting {

    private final Configuration configuration;

    public Reporting(Configuration configuration) {
        this.configuration = configuration;
    }

    public void ended(Resource repository, Resource run, PacSettings settings, boolean isCancelled, String message)
            throws IOException, InterruptedException {
        var forge = Listener.forge(said(run, "git-provider"));
        if (forge.isEmpty()) {
            return;
        }
        var state = RunReports.hasSucceeded(run)
                ? Forges.State.SUCCESS
                : isCancelled ? Forges.State.CANCELLED : Forges.State.FAILURE;
        var words = message.length() > 140 ? message.substring(0, 137) + "..." : message;
        configuration
                .forge(repository, forge.get(), said(run, "url-org"), said(run, "url-repository"))
                .tell(
                        said(run, "sha"),
                        state,
                        RunReports.context(settings, run),
                        words,
                        settings.console(run.namespace(), run.name()));
    }

    private static String said(Resource run, String name) {
        return run.annotations().getOrDefault(PacKinds.PREFIX + name, "");
    }
}
