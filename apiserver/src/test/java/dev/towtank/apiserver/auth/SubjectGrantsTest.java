package dev.towtank.apiserver.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.auth.Authorizer.Decision;
import dev.towtank.apiserver.auth.Authorizer.OnPath;
import dev.towtank.apiserver.auth.Authorizer.OnResource;
import dev.towtank.apiserver.auth.RbacPolicy.Grant;
import dev.towtank.model.LogicalCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectGrantsTest {

    private static final User USER = User.of("jane");
    private static final List<String> VERBS = List.of("get", "list", "update", "*");
    private static final List<String> GROUPS = List.of("", "apps", "*");
    private static final List<String> RESOURCES =
            List.of("pods", "secrets", "deployments", "pods/log", "*/log", "*/scale", "deployments/scale", "*");
    private static final List<String> NAMES = List.of("a", "b");
    private static final List<String> URLS = List.of("/metrics", "/logs/*", "*");

    private final Random random = new Random(11);

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    /// Some of them; the last, which stands for all, seldom.
    private List<String> some(List<String> of, int most) {
        var chosen = new ArrayList<String>();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            chosen.add(random.nextInt(6) == 0 ? one(of) : one(of.subList(0, of.size() - 1)));
        }
        return chosen;
    }

    private PolicyRule rule() {
        return random.nextInt(5) == 0
                ? new PolicyRule(some(VERBS, 2), List.of(), List.of(), List.of(), some(URLS, 2))
                : new PolicyRule(some(VERBS, 2), some(GROUPS, 2), some(RESOURCES, 3), some(NAMES, 1), List.of());
    }

    private SubjectGrants grants(int count) {
        var grants = new SubjectGrants();
        for (int i = 0; i < count; i++) {
            var rules = new ArrayList<PolicyRule>();
            for (int rule = random.nextInt(4); rule > 0; rule--) {
                rules.add(rule());
            }
            grants.add(new Grant(rules, "", new Decision(true, "grant " + i)));
        }
        return grants;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 9, 40})
    void theFirstThatAllowsIsFoundAsIfAllWereLookedAt(int count) {
        for (int trial = 0; trial < 200; trial++) {
            var grants = grants(count);
            for (int i = 0; i < 20; i++) {
                var resource = one(List.of("pods", "secrets", "deployments", "services"));
                var target = new Target(
                        one(List.of("", "apps", "batch")),
                        "v1",
                        resource,
                        "x",
                        one(List.of("", "a", "c")),
                        one(List.of("", "log", "scale")));
                var verb = one(List.of("get", "list", "delete"));
                var expected = grants.all().stream()
                        .filter(grant -> grant.rules().stream().anyMatch(rule -> rule.allows(verb, target)))
                        .findFirst();

                assertThat(grants.allowing(new OnResource(USER, LogicalCluster.DEFAULT, verb, target)))
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void pathsAreAllowedByTheFirstRuleThatNamesThem() {
        for (int trial = 0; trial < 200; trial++) {
            var grants = grants(20);
            var path = one(List.of("/metrics", "/logs/a", "/healthz"));
            var expected = grants.all().stream()
                    .filter(grant -> grant.rules().stream().anyMatch(rule -> rule.allowsPath("get", path)))
                    .findFirst();

            assertThat(grants.allowing(new OnPath(USER, LogicalCluster.DEFAULT, "get", path)))
                    .isEqualTo(expected);
        }
    }
}
