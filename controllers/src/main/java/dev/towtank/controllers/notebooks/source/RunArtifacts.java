package dev.towtank.controllers.notebooks.source;

import dev.towtank.cluster.AccessReview;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Pods;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Gives out what is kept of a run, to those who may read its job: `/notebooks/<namespace>/<job>/<file>`.
public final class RunArtifacts {

    private final Cluster cluster;
    private final RunReports reports;

    public RunArtifacts(Cluster cluster, RunReports reports) {
        this.cluster = cluster;
        this.reports = reports;
    }

    public WebResponse answer(WebRequest request) throws IOException {
        var parts = List.of(request.path().split("/", -1));
        var caller = request.caller().orElseThrow();
        if (!request.method().equals("GET") || parts.size() != 5 || !RunReports.FILES.contains(parts.get(4))) {
            return WebResponse.text(
                    404, "GET /notebooks/<namespace>/<job>/" + String.join("|", RunReports.FILES) + "\n");
        }
        var namespace = parts.get(2);
        var job = parts.get(3);
        var review = new AccessReview("get", NotebookKinds.JOB.group(), NotebookKinds.JOB.plural(), namespace, job);
        if (!review.allows(cluster, caller)) {
            return WebResponse.text(403, review.refusal(caller) + "\n");
        }
        var found = cluster.get(Pods.KIND, new ObjectName(caller.cluster(), namespace, job + "-validation"))
                .map(Resource::uid);
        var content = found.isPresent() ? reports.file(found.get(), parts.get(4)) : Optional.<byte[]>empty();
        return content.map(bytes -> WebResponse.of(200, "application/json", bytes))
                .orElse(WebResponse.text(404, "there is no " + parts.get(4) + " of " + namespace + "/" + job + "\n"));
    }
}
