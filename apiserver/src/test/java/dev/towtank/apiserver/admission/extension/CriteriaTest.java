package dev.towtank.apiserver.admission.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CriteriaTest {

    /// Two namespaces, and deployments of an older version.
    private static final Surroundings AROUND = new Surroundings() {
        @Override
        public Optional<Json.Obj> namespace(LogicalCluster cluster, String name) {
            return switch (name) {
                case "shop" -> Optional.of(yaml("{metadata: {name: shop, labels: {team: red}}}"));
                case "bank" -> Optional.of(yaml("{metadata: {name: bank}}"));
                default -> Optional.empty();
            };
        }

        @Override
        public List<Form> equivalents(Subject subject) {
            return subject.form().resource().equals("deployments")
                    ? List.of(new Form("extensions", "v1beta1", "deployments", "extensions", "v1beta1", "Deployment"))
                    : List.of();
        }

        @Override
        public Json.Obj convert(Subject subject, Json.Obj object, Form to) {
            return object;
        }

        @Override
        public Json.Obj convertBack(Subject subject, Json.Obj object, Form from) {
            return object;
        }
    };

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    /// `CREATE apps/v1/deployments/scale shop/web`; `-` is no namespace.
    private static Subject subject(String text, String object, String old) {
        var words = text.split(" ", -1);
        var address = words[1].split("/", -1);
        int core = address[0].equals("v1") ? -1 : 0;
        var group = core < 0 ? "" : address[0];
        var version = address[1 + core];
        var resource = address[2 + core];
        var subresource = address.length > 3 + core ? address[3 + core] : "";
        var name = words[2].split("/", -1);
        return new Subject(
                LogicalCluster.DEFAULT,
                Review.Operation.valueOf(words[0]),
                new Form(group, version, resource, group, version, "Kind"),
                subresource,
                name[0].equals("-") ? "" : name[0],
                name[1],
                object.isEmpty() ? null : yaml(object),
                old.isEmpty() ? null : yaml(old),
                User.of("jane"),
                false,
                Json.Obj.EMPTY);
    }

    private static Subject subject(String text) {
        return subject(text, "{}", "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CREATE v1/pods shop/a                 | CREATE   | ''   | v1 | pods             | *          | true
            UPDATE v1/pods shop/a                 | CREATE   | ''   | v1 | pods             | *          | false
            DELETE v1/pods shop/a                 | *        | ''   | v1 | pods             | *          | true
            CONNECT v1/pods/exec shop/a           | CONNECT  | ''   | v1 | pods/exec        | *          | true
            CREATE v1/pods shop/a                 | CREATE   | apps | v1 | pods             | *          | false
            CREATE apps/v1/deployments shop/a     | CREATE   | *    | *  | *                | *          | true
            UPDATE v1/pods/status shop/a          | UPDATE   | ''   | v1 | pods             | *          | false
            UPDATE v1/pods/status shop/a          | UPDATE   | ''   | v1 | *                | *          | false
            UPDATE v1/pods/status shop/a          | UPDATE   | ''   | v1 | pods/*           | *          | true
            UPDATE v1/pods/status shop/a          | UPDATE   | ''   | v1 | */status         | *          | true
            UPDATE v1/pods/status shop/a          | UPDATE   | ''   | v1 | */scale          | *          | false
            UPDATE v1/pods/status shop/a          | UPDATE   | ''   | v1 | */*              | *          | true
            UPDATE v1/pods shop/a                 | UPDATE   | ''   | v1 | */*              | *          | true
            UPDATE v1/pods shop/a                 | UPDATE   | ''   | v1 | pods/*           | *          | true
            CREATE v1/pods shop/a                 | CREATE   | ''   | v1 | pods             | Namespaced | true
            CREATE v1/pods shop/a                 | CREATE   | ''   | v1 | pods             | Cluster    | false
            CREATE v1/nodes -/a                   | CREATE   | ''   | v1 | nodes            | Namespaced | false
            CREATE v1/nodes -/a                   | CREATE   | ''   | v1 | nodes            | Cluster    | true
            CREATE v1/namespaces shop/shop        | CREATE   | ''   | v1 | namespaces       | Cluster    | true
            CREATE v1/namespaces shop/shop        | CREATE   | ''   | v1 | namespaces       | Namespaced | false
            """)
    void matchesRules(
            String request, String operation, String group, String version, String resource, String scope, boolean is) {
        var rule = "{operations: ['%s'], apiGroups: ['%s'], apiVersions: ['%s'], resources: ['%s'], scope: '%s'}"
                .formatted(operation, group, version, resource, scope);
        var criteria = Criteria.ofWebhook(yaml("{rules: [" + rule + "]}"));

        assertThat(criteria.match(subject(request), AROUND).isPresent()).isEqualTo(is);
    }

    private static final String ALL = "{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*']}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CREATE v1/pods shop/a          | team=red | true
            CREATE v1/pods bank/a          | team=red | false
            CREATE v1/nodes -/a            | team=red | true
            DELETE v1/namespaces shop/shop | team=red | true
            DELETE v1/namespaces bank/bank | team=red | false
            CREATE v1/namespaces new/new   | team=red | false
            """)
    void selectsByTheNamespace(String request, String label, boolean is) {
        var pair = label.split("=", -1);
        var criteria = Criteria.ofWebhook(
                yaml("{rules: [" + ALL + "], namespaceSelector: {matchLabels: {" + pair[0] + ": " + pair[1] + "}}}"));

        assertThat(criteria.match(subject(request), AROUND).isPresent()).isEqualTo(is);
    }

    @Test
    void aNamespaceThatIsGoneIsToldOnlyToWhomItMatters() {
        var selector = "namespaceSelector: {matchLabels: {a: b}}";
        var all = Criteria.ofWebhook(yaml("{rules: [" + ALL + "], " + selector + "}"));
        var none = Criteria.ofWebhook(yaml("{rules: [], " + selector + "}"));
        var lost = subject("CREATE v1/pods lost/a");

        assertThat(none.match(lost, AROUND)).isEmpty();
        assertThatThrownBy(() -> all.match(lost, AROUND))
                .isInstanceOf(StatusError.class)
                .hasMessage("namespaces \"lost\" not found");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {metadata: {labels: {a: b}}} | ''                           | true
            {metadata: {labels: {a: c}}} | ''                           | false
            {}                           | {metadata: {labels: {a: b}}} | true
            ''                           | {metadata: {labels: {a: b}}} | true
            ''                           | ''                           | false
            """)
    void selectsByWhatWasOrWhatShallBe(String object, String old, boolean is) {
        var criteria = Criteria.ofWebhook(yaml("{rules: [" + ALL + "], objectSelector: {matchLabels: {a: b}}}"));

        assertThat(criteria.match(subject("UPDATE v1/pods shop/a", object, old), AROUND)
                        .isPresent())
                .isEqualTo(is);
    }

    @ParameterizedTest
    @CsvSource({"Equivalent, extensions, true", "Exact, '', false"})
    void meansOtherVersions(String policy, String group, boolean is) {
        var criteria = Criteria.ofWebhook(yaml("{matchPolicy: " + policy + ", rules: [{operations: [CREATE], apiGroups:"
                + " [extensions], apiVersions: ['*'], resources: [deployments]}]}"));

        var form = criteria.match(subject("CREATE apps/v1/deployments shop/a"), AROUND);

        assertThat(form.isPresent()).isEqualTo(is);
        assertThat(form.map(Form::group).orElse("")).isEqualTo(group);
    }

    @Test
    void policiesExcludeAndName() {
        var named = "{resourceNames: [web], operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}";
        var only = Criteria.ofPolicy(yaml("{resourceRules: [" + named + "]}"));
        var but = Criteria.ofPolicy(yaml("{resourceRules: [" + ALL + "], excludeResourceRules: [" + named + "]}"));
        var web = subject("CREATE v1/pods shop/web");
        var other = subject("CREATE v1/pods shop/other");

        assertThat(only.match(web, AROUND)).isPresent();
        assertThat(only.match(other, AROUND)).isEmpty();
        assertThat(but.match(web, AROUND)).isEmpty();
        assertThat(but.match(other, AROUND)).isPresent();
    }

    @Test
    void withoutRulesABindingMeansAllAndAWebhookNothing() {
        var pod = subject("CREATE v1/pods shop/web");

        assertThat(Criteria.ofPolicy(Json.Obj.EMPTY).match(pod, AROUND)).contains(pod.form());
        assertThat(Criteria.ofWebhook(Json.Obj.EMPTY).match(pod, AROUND)).isEmpty();
    }
}
