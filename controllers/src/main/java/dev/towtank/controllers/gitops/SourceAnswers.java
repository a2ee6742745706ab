package dev.towtank.controllers.gitops;

import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside;
import dev.towtank.controllers.gitops.ApplicationFacts.Condition;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.rendering.RevisionQuestion;
import dev.towtank.controllers.gitops.rendering.SourceQuestion;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the sources of an Application hold, as far as that is known.
record SourceAnswers(boolean isPending, List<Manifests> manifests, List<Condition> problems) {

    /// Whom to ask; nobody waits.
    ///
    /// @param revisions which commit a name means
    /// @param manifests what there is at a commit
    record Sources(Revisions revisions, Outside<SourceQuestion, Manifests> manifests) {}

    @FunctionalInterface
    interface Revisions {
        Outside.Answer<String> ask(ObjectName asker, RevisionQuestion question, boolean anew);
    }

    SourceAnswers {
        manifests = List.copyOf(manifests);
        problems = List.copyOf(problems);
    }

    /// @param wanted the sources as an Application writes them
    /// @param revisions in the place of those that the sources name, where they are not empty
    static SourceAnswers ask(
            Sources outside,
            ObjectName application,
            String namespace,
            List<Json.Obj> wanted,
            List<String> revisions,
            boolean anew) {
        var asking = new Asking(outside, application, anew);
        var commits = new ArrayList<Optional<String>>();
        for (int i = 0; i < wanted.size(); i++) {
            var named = i < revisions.size() ? revisions.get(i) : wanted.get(i).string("targetRevision");
            commits.add(asking.commit(question(wanted.get(i), named)));
        }
        if (commits.stream().allMatch(Optional::isPresent)) {
            var references = references(wanted, commits);
            for (int i = 0; i < wanted.size(); i++) {
                var source = wanted.get(i).without("targetRevision").without("name");
                asking.manifests(new SourceQuestion(
                        source,
                        application.name(),
                        namespace,
                        commits.get(i).orElseThrow(),
                        source.has("helm") ? references : Map.of()));
            }
        }
        return new SourceAnswers(asking.isPending, asking.manifests, asking.problems);
    }

    static RevisionQuestion question(Json.Obj source, String named) {
        var chart = source.string("chart");
        return new RevisionQuestion(
                source.string("repoURL"), chart, named.isEmpty() && chart.isEmpty() ? "HEAD" : named);
    }

    private static Map<String, SourceQuestion.Reference> references(
            List<Json.Obj> wanted, List<Optional<String>> commits) {
        var references = new HashMap<String, SourceQuestion.Reference>();
        for (int i = 0; i < wanted.size(); i++) {
            if (!wanted.get(i).string("ref").isEmpty()) {
                references.put(
                        wanted.get(i).string("ref"),
                        new SourceQuestion.Reference(
                                wanted.get(i).string("repoURL"), commits.get(i).orElseThrow()));
            }
        }
        return references;
    }

    private static final class Asking {
        private final Sources outside;
        private final ObjectName application;
        private final boolean anew;
        private boolean isPending;
        private final List<Manifests> manifests = new ArrayList<>();
        private final List<Condition> problems = new ArrayList<>();

        Asking(Sources outside, ObjectName application, boolean anew) {
            this.outside = outside;
            this.application = application;
            this.anew = anew;
        }

        Optional<String> commit(RevisionQuestion question) {
            return taken(outside.revisions().ask(application, question, anew));
        }

        void manifests(SourceQuestion question) {
            taken(outside.manifests().ask(application, question)).ifPresent(found -> {
                manifests.add(found);
                if (!found.problem().isEmpty()) {
                    problem("Manifest generation error: " + found.problem());
                }
            });
        }

        private <A> Optional<A> taken(Outside.Answer<A> answer) {
            return switch (answer) {
                case Outside.Answer.Pending<A> _ -> {
                    isPending = true;
                    yield Optional.empty();
                }
                case Outside.Answer.Known<A>(var known, var _) -> Optional.of(known);
                case Outside.Answer.Failed<A> failed -> {
                    problem(failed.problem());
                    yield Optional.empty();
                }
            };
        }

        private void problem(String why) {
            problems.add(new Condition("ComparisonError", "Failed to load target state: " + why));
        }
    }
}
