package dev.towtank.apiserver.auth;

import static dev.towtank.apiserver.Objects.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.auth.Impersonation.Wish;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.LogicalCluster;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ImpersonationTest {

    private static final User BOB = User.of("bob", User.ALL_AUTHENTICATED);
    private static final User ROOT = User.of("root", User.MASTERS);

    private final Store store = JournaledStore.inMemory();
    private final Impersonation impersonation =
            new Impersonation(new RbacAuthorizer(store, BootstrapPolicy.standard()));

    @AfterEach
    void close() {
        store.close();
    }

    @BeforeEach
    void letBobBeJane() {
        put(store, "clusterroles.rbac.authorization.k8s.io", """
                {'metadata': {'name': 'r'}, 'rules': [
                  {'verbs': ['impersonate'], 'apiGroups': [''], 'resources': ['users'], 'resourceNames': ['jane']},
                  {'verbs': ['impersonate'], 'apiGroups': [''], 'resources': ['groups'], 'resourceNames': ['dev']}]}""");
        put(store, "clusterrolebindings.rbac.authorization.k8s.io", """
                {'metadata': {'name': 'b'}, 'roleRef': {'kind': 'ClusterRole', 'name': 'r'},
                 'subjects': [{'kind': 'User', 'name': 'bob'}]}""");
    }

    private User apply(User caller, String user, String... groups) {
        return impersonation.apply(caller, LogicalCluster.DEFAULT, new Wish(user, "", List.of(groups), Map.of()));
    }

    @Test
    void actsAsTheOtherUser() {
        assertThat(apply(BOB, "jane", "dev"))
                .isEqualTo(new User("jane", "", Set.of("dev", "system:authenticated"), Map.of()));
        assertThat(apply(BOB, "")).isEqualTo(BOB);
        assertThat(apply(ROOT, "system:serviceaccount:ci:builder").groups())
                .isEqualTo(Set.of("system:serviceaccounts", "system:serviceaccounts:ci", "system:authenticated"));
        assertThat(apply(ROOT, "system:anonymous").groups()).isEqualTo(Set.of("system:unauthenticated"));
    }

    @Test
    void refusesEveryPartThatIsNotAllowed() {
        assertThatThrownBy(() -> apply(BOB, "adam"))
                .hasMessage(
                        "users \"adam\" is forbidden: User \"bob\" cannot impersonate resource \"users\" in API group \"\""
                                + " at the cluster scope");
        assertThatThrownBy(() -> apply(BOB, "jane", "system:masters"))
                .hasMessage(
                        "groups \"system:masters\" is forbidden: User \"bob\" cannot impersonate resource \"groups\" in"
                                + " API group \"\" at the cluster scope");
        assertThatThrownBy(() -> apply(BOB, "system:serviceaccount:ci:builder"))
                .hasMessage("serviceaccounts \"builder\" is forbidden: User \"bob\" cannot impersonate resource"
                        + " \"serviceaccounts\" in API group \"\" in the namespace \"ci\"");
        var wish = new Wish("jane", "u", List.of(), Map.of());
        assertThatThrownBy(() -> impersonation.apply(BOB, LogicalCluster.DEFAULT, wish))
                .hasMessageStartingWith("uids.authentication.k8s.io \"u\" is forbidden");
        var extra = new Wish("jane", "", List.of(), Map.of("scopes", List.of("all")));
        assertThatThrownBy(() -> impersonation.apply(BOB, LogicalCluster.DEFAULT, extra))
                .hasMessageContaining("cannot impersonate resource \"userextras/scopes\"");
        assertThatThrownBy(() -> apply(BOB, "", "dev")).hasMessageContaining("Impersonate-User");
    }
}
