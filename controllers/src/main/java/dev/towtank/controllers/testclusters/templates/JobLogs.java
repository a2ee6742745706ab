package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.controllers.gitops.api.Tracking;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.batch.Jobs;
import dev.towtank.model.kinds.core.Pods;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds what the Jobs of a chart said where no cluster came of it.
final class JobLogs {

    // Of a Job that was tried again and again the last ones say enough.
    private static final int MOST_PODS = 5;

    private final Cache jobs;
    private final Cache pods;
    private final Outside<PodQuestion, String> words;

    JobLogs(Caches caches, Outside<PodQuestion, String> words) {
        jobs = caches.of(Jobs.KIND);
        pods = caches.of(Pods.KIND);
        this.words = words;
    }

    /// Read when the instance says that it failed, and once.
    JobWords of(Instance instance, Optional<Resource> application, boolean isLogged) {
        var all = isLogged ? List.<Resource>of() : application.map(this::pods).orElse(List.of());
        if (all.isEmpty()) {
            return JobWords.NONE;
        }
        if (!instance.object().status().string("phase").endsWith("Failed")) {
            return JobWords.UNREAD;
        }
        var text = new StringBuilder();
        boolean isKnown = true;
        for (var pod : all) {
            text.append("Pod %s %s%n".formatted(pod.name(), pod.status().string("phase")));
            switch (words.ask(ObjectName.of(instance.object()), new PodQuestion(pod))) {
                case Answer.Pending<String> _ -> isKnown = false;
                case Answer.Known<String>(var said, var _) -> text.append(said);
                case Answer.Failed<String>(var problem, var _, var _, var _) ->
                    text.append("  its log cannot be read: %s%n".formatted(problem));
            }
        }
        return new JobWords(isKnown, text.toString());
    }

    /// Of Jobs that are the Application's own: a chart may name those of others, too.
    private List<Resource> pods(Resource application) {
        var found = application.status().objects("resources").stream()
                .filter(entry -> entry.string("group").equals(Jobs.KIND.group())
                        && entry.string("kind").equals(Jobs.KIND.kind()))
                .flatMap(entry -> jobs.get(ObjectName.of(entry.string("namespace"), entry.string("name"))).stream())
                .filter(job -> Tracking.belongs(job.json(), ObjectName.of(application)))
                .flatMap(job -> pods.ownedBy(job.uid()).stream())
                .sorted(Comparator.comparing(
                                (Resource pod) -> pod.creationTimestamp().orElse(Instant.EPOCH))
                        .thenComparing(Resource::name))
                .toList();
        return found.subList(Math.max(0, found.size() - MOST_PODS), found.size());
    }
}
