package dev.towtank.controllers.gitops.sets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Facts;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.rendering.Listing;
import dev.towtank.controllers.gitops.rendering.ListingQuestion;
import dev.towtank.controllers.gitops.rendering.RevisionQuestion;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.template.functions.Ambient;
import dev.towtank.model.template.functions.ApplicationSetFunctions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Finds out which Applications an ApplicationSet wants, and which there are.
public final class SetLook implements Facts<Json.Obj, SetFacts> {

    private final Cache applications;
    private final Outsides outsides;
    private final Supplier<List<Json.Obj>> clusters;
    private final InstantSource clock;

    /// Whom to ask; nobody waits.
    public record Outsides(Revisions revisions, Outside<ListingQuestion, Listing> listings) {}

    @FunctionalInterface
    public interface Revisions {
        Outside.Answer<String> ask(ObjectName asker, RevisionQuestion question, boolean anew);
    }

    /// @param clusters those that a cluster generator gives
    public SetLook(Cache applications, Outsides outsides, Supplier<List<Json.Obj>> clusters, InstantSource clock) {
        this.applications = applications;
        this.outsides = outsides;
        this.clusters = clusters;
        this.clock = clock;
    }

    @Override
    public SetFacts gather(Observed<Json.Obj> primary) {
        var set = primary.object();
        if (set.isDeleting()) {
            return SetFacts.pending();
        }
        try {
            check(set);
            var functions =
                    ApplicationSetFunctions.functions(new Ambient(clock.instant(), ZoneOffset.UTC, new SecureRandom()));
            var template = Template.of(set.spec(), functions);
            var given =
                    new SetGenerators(template, world(primary)).all(set.spec().objects("generators"));
            var wanted = Generated.applications(set, template, given);
            return new SetFacts(false, "", wanted, there(set, wanted));
        } catch (SetGenerators.Pending e) {
            return SetFacts.pending();
        } catch (SetError e) {
            return SetFacts.failed(e.text());
        }
    }

    private static void check(Resource set) {
        if (!set.cluster().equals(LogicalCluster.DEFAULT) || !set.namespace().equals(GitOpsKinds.NAMESPACE)) {
            throw new SetError("ApplicationSets are served in the namespace " + GitOpsKinds.NAMESPACE
                    + " of the default cluster only");
        }
        RollingSync.check(set.spec().object("strategy"));
    }

    private List<Resource> there(Resource set, List<Json.Obj> wanted) {
        var there = new ArrayList<>(applications.ownedBy(set.uid()));
        for (var application : wanted) {
            var name = application.string("metadata", "name");
            if (there.stream().noneMatch(each -> each.name().equals(name))) {
                applications
                        .get(new ObjectName(set.cluster(), set.namespace(), name))
                        .ifPresent(there::add);
            }
        }
        return there;
    }

    private SetGenerators.World world(Observed<Json.Obj> primary) {
        var asker = primary.name();
        return new SetGenerators.World() {
            @Override
            public Listing listing(Json.Obj git) {
                var revision = git.string("revision");
                var commit = known(outsides.revisions()
                        .ask(
                                asker,
                                new RevisionQuestion(git.string("repoURL"), "", revision.isEmpty() ? "HEAD" : revision),
                                primary.object()
                                        .annotations()
                                        .containsKey("argocd.argoproj.io/application-set-refresh")));
                return known(outsides.listings()
                        .ask(
                                asker,
                                new ListingQuestion(
                                        git.string("repoURL"),
                                        commit,
                                        git.objects("directories"),
                                        git.objects("files"))));
            }

            @Override
            public List<Json.Obj> clusters() {
                return clusters.get();
            }
        };
    }

    private static <A> A known(Outside.Answer<A> answer) {
        return switch (answer) {
            case Outside.Answer.Pending<A> _ -> throw new SetGenerators.Pending();
            case Outside.Answer.Known<A>(var value, var _) -> value;
            case Outside.Answer.Failed<A> failed -> throw new SetError(failed.problem());
        };
    }
}
