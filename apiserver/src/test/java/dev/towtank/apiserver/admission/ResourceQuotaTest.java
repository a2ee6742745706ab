package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.Objects.json;
import static dev.towtank.apiserver.Objects.key;
import static dev.towtank.apiserver.Objects.put;
import static dev.towtank.apiserver.Objects.remove;
import static dev.towtank.apiserver.Objects.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResourceQuotaTest {

    private static final GroupResource QUOTAS = new GroupResource("", "resourcequotas");

    private final Store store = JournaledStore.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ResourceQuotaAdmission rule = new ResourceQuotaAdmission(store, () -> now);
    private final QuotaCount count = new QuotaCount(store, this::writeStatus, () -> now);

    private void recount() {
        count.recount(LogicalCluster.DEFAULT, "blue");
    }

    private void recountUnlessContested() {
        try {
            recount();
        } catch (StatusError e) {
            assertThat(e.reason()).isEqualTo(StatusError.Reason.CONFLICT);
        }
    }

    private void writeStatus(LogicalCluster cluster, Json.Obj quota) {
        var metadata = quota.object("metadata");
        try {
            store.commit(new Write.Update(
                    key(cluster, "resourcequotas", metadata.string("namespace"), metadata.string("name")),
                    Long.parseLong(metadata.string("resourceVersion")),
                    quota));
        } catch (Store.Conflict e) {
            throw StatusError.modified(QUOTAS, metadata.string("name"));
        }
    }

    private void quota(String name, String spec) {
        put(
                store,
                "resourcequotas",
                "{'metadata': {'namespace': 'blue', 'name': '" + name + "'}, 'spec': " + spec + "}");
    }

    private Json.Obj status(String name) {
        return store.get(key("resourcequotas", "blue", name)).tree().object("status");
    }

    private static String pod(String name, String resources) {
        return "{'metadata': {'namespace': 'blue', 'name': '" + name
                + "'}, 'spec': {'containers': [{'name': 'a', 'resources': " + resources + "}]}}";
    }

    /// What the server does: the object and all that goes with it in one commit, asked again on a conflict.
    private void create(String object) {
        var review = Reviews.create(Reviews.POD, object);
        var name = review.name();
        while (true) {
            var writes = new ArrayList<>(rule.alongside(review));
            writes.add(new Write.Create(key("pods", "blue", name), json(object)));
            try {
                store.commit(writes);
                return;
            } catch (Store.Conflict e) {
                assertThat(e.key().resource()).isEqualTo(QUOTAS);
            }
        }
    }

    @Test
    void refusesWhatExceedsAQuota() {
        quota("q", "{'hard': {'pods': '2', 'configmaps': '5'}}");
        create(pod("a", "{}"));
        create(pod("b", "{}"));
        assertThatThrownBy(() -> create(pod("c", "{}")))
                .hasMessage(
                        "pods \"c\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2");
        assertThat(status("q")).isEqualTo(json("""
                {'hard': {'pods': '2', 'configmaps': '5'}, 'used': {'configmaps': '0', 'pods': '2'}}"""));
    }

    @Test
    void tellsEverythingThatIsExceededAndNothingElse() {
        quota("q", "{'hard': {'requests.cpu': '1', 'limits.memory': '1Gi', 'pods': '9'}}");
        create(pod("a", "{'requests': {'cpu': '600m'}, 'limits': {'memory': '512Mi'}}"));
        assertThatThrownBy(() -> create(pod("b", "{'requests': {'cpu': '0.5'}, 'limits': {'memory': '1Gi'}}")))
                .hasMessage(
                        "pods \"b\" is forbidden: exceeded quota: q, requested: limits.memory=1Gi,requests.cpu=500m,"
                                + " used: limits.memory=512Mi,requests.cpu=600m, limited: limits.memory=1Gi,requests.cpu=1");
    }

    @Test
    void wantsPodsToSayWhatTheyNeed() {
        quota("q", "{'hard': {'limits.cpu': '1', 'memory': '1Gi'}}");
        assertThatThrownBy(() -> create(pod("a", "{'requests': {'memory': '1Mi'}}")))
                .hasMessage("pods \"a\" is forbidden: failed quota: q: must specify limits.cpu for: a");
        assertThatThrownBy(() -> create(pod("a", "{}")))
                .hasMessage("pods \"a\" is forbidden: failed quota: q: must specify limits.cpu for: a; memory for: a");
    }

    @Test
    void asksOnlyQuotasThatTakeTheObjectIn() {
        quota("q", "{'hard': {'pods': '0'}, 'scopes': ['Terminating']}");
        create(pod("a", "{}"));
        assertThat(status("q")).isEqualTo(Json.Obj.EMPTY);
    }

    @Test
    void chargesEveryQuotaOrNone() {
        quota("p", "{'hard': {'pods': '5'}}");
        quota("q", "{'hard': {'count/pods': '1'}}");
        create(pod("a", "{}"));
        assertThatThrownBy(() -> create(pod("b", "{}")))
                .hasMessage("pods \"b\" is forbidden: exceeded quota: q, requested: count/pods=1, used: count/pods=1,"
                        + " limited: count/pods=1");
        assertThat(status("p").string("used", "pods")).isEqualTo("1");
    }

    @Test
    void countsWhatWasThereBeforeTheQuota() {
        create(pod("a", "{}"));
        quota("q", "{'hard': {'pods': '1'}}");
        assertThatThrownBy(() -> create(pod("b", "{}"))).hasMessageContaining("used: pods=1, limited: pods=1");
    }

    @Test
    void chargesAnUpdateWithWhatItTakesMore() {
        quota("q", "{'hard': {'requests.storage': '10Gi', 'persistentvolumeclaims': '1'}}");
        var claim =
                "{'metadata': {'namespace': 'blue', 'name': 'data'}, 'spec': {'resources': {'requests': {'storage': '%s'}}}}";
        store.commit(rule.alongside(Reviews.create(Reviews.CLAIM, claim.formatted("4Gi"))));
        assertThat(status("q").object("used"))
                .isEqualTo(json("{'requests.storage': '4Gi', 'persistentvolumeclaims': '1'}"));

        store.commit(rule.alongside(Reviews.update(Reviews.CLAIM, claim.formatted("9Gi"), claim.formatted("4Gi"))));
        assertThat(status("q").string("used", "requests.storage")).isEqualTo("9Gi");
        assertThatThrownBy(() ->
                        rule.alongside(Reviews.update(Reviews.CLAIM, claim.formatted("11Gi"), claim.formatted("9Gi"))))
                .hasMessage("persistentvolumeclaims \"data\" is forbidden: exceeded quota: q, requested:"
                        + " requests.storage=2Gi, used: requests.storage=9Gi, limited: requests.storage=10Gi");
        assertThat(rule.alongside(Reviews.update(Reviews.CLAIM, claim.formatted("1Gi"), claim.formatted("9Gi"))))
                .isEmpty();
    }

    @Test
    void takesNothingForDeletionsAndStatus() {
        quota("q", "{'hard': {'pods': '0'}}");
        assertThat(rule.alongside(Reviews.delete(Reviews.POD, pod("a", "{}")))).isEmpty();
        assertThat(rule.alongside(Reviews.of(
                        Reviews.POD, Review.Operation.UPDATE, "status", json(pod("a", "{}")), json(pod("a", "{}")))))
                .isEmpty();
    }

    @Test
    void isNeverExceededByRequestsAtTheSameTime() throws Exception {
        quota("q", "{'hard': {'pods': '20'}}");
        var refused = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 8; i++) {
            var prefix = "t" + i + "-";
            threads.add(Thread.ofVirtual().start(() -> {
                for (int j = 0; j < 10; j++) {
                    try {
                        create(pod(prefix + j, "{}"));
                    } catch (StatusError error) {
                        refused.incrementAndGet();
                    }
                }
            }));
        }
        threads.add(Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 50; i++) {
                recountUnlessContested();
            }
        }));
        for (var thread : threads) {
            thread.join();
        }
        assertThat(store.count(Range.of(new GroupResource("", "pods")))).isEqualTo(20);
        assertThat(refused).hasValue(60);
        assertThat(status("q").string("used", "pods")).isEqualTo("20");
    }

    @Test
    void givesBackWhatIsDeletedOrFinished() {
        quota("q", "{'hard': {'pods': '3'}}");
        for (var name : List.of("a", "b", "c")) {
            create(pod(name, "{}"));
        }
        remove(store, key("pods", "blue", "a"));
        assertThat(status("q").string("used", "pods")).isEqualTo("3");
        recount();
        assertThat(status("q").string("used", "pods")).isEqualTo("2");

        replace(store, key("pods", "blue", "b"), json("{'metadata': {'name': 'b'}, 'status': {'phase': 'Succeeded'}}"));
        recount();
        assertThat(status("q").string("used", "pods")).isEqualTo("1");
        create(pod("d", "{}"));
        create(pod("e", "{}"));
        assertThatThrownBy(() -> create(pod("f", "{}"))).hasMessageContaining("exceeded quota");
    }

    @Test
    void fillsInTheStatusOfANewQuotaAndThenRests() {
        create(pod("a", "{}"));
        quota("q", "{'hard': {'pods': '3', 'services.nodeports': '1', 'count/deployments.apps': '2'}}");
        recount();
        assertThat(status("q")).isEqualTo(json("""
                {'hard': {'pods': '3', 'services.nodeports': '1', 'count/deployments.apps': '2'},
                 'used': {'pods': '1', 'services.nodeports': '0', 'count/deployments.apps': '0'}}"""));
        long revision = store.revision();
        recount();
        recount();
        assertThat(store.revision()).isEqualTo(revision);
    }

    @Test
    void countsAgainWhenSomebodyWroteMeanwhile() {
        quota("q", "{'hard': {'pods': '3'}}");
        var writes = new AtomicInteger();
        var contested = new QuotaCount(
                store,
                (cluster, quota) -> {
                    if (writes.getAndIncrement() == 0) {
                        create(pod("a", "{}"));
                    }
                    writeStatus(cluster, quota);
                },
                () -> now);
        assertThatThrownBy(() -> contested.recount(LogicalCluster.DEFAULT, "blue"))
                .isInstanceOf(StatusError.class);
        contested.recount(LogicalCluster.DEFAULT, "blue");
        assertThat(status("q").string("used", "pods")).isEqualTo("1");
    }
}
