package dev.towtank.model.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.kinds.KindTrial;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomResourceDefinitionsTest {

    private static final KindTrial TRIAL = new KindTrial(CustomResourceDefinitions.KIND);

    private static final String CRON_TAB = """
            metadata: {name: crontabs.stable.example.com}
            spec:
              group: stable.example.com
              scope: Namespaced
              names: {plural: crontabs, kind: CronTab}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties: {cronSpec: {type: string}, replicas: {type: integer}}
            """;

    static List<String> errors(String yaml) {
        return TRIAL.errors(yaml);
    }

    /// What is wrong with a definition whose only version has this schema.
    private static List<String> schemaErrors(String schema) {
        var crd = KindTrial.yaml(CRON_TAB);
        var version = crd.objects("spec", "versions")
                .getFirst()
                .with(List.of("schema", "openAPIV3Schema"), KindTrial.yaml(schema));
        return TRIAL.errors(
                crd.with(List.of("spec", "versions"), Json.Arr.of(version)).toString());
    }

    @Test
    void fillsInTheNamesThatAreMissing() {
        var stored = TRIAL.stored(CRON_TAB);

        assertThat(stored.object("spec", "names"))
                .isEqualTo(
                        KindTrial.yaml("{plural: crontabs, singular: crontab, kind: CronTab, listKind: CronTabList}"));
        assertThat(stored.object("spec", "conversion")).isEqualTo(KindTrial.yaml("{strategy: None}"));
        assertThat(stored.object("status")).isEqualTo(KindTrial.yaml("{storedVersions: [v1]}"));
        assertThat(errors(CRON_TAB)).isEmpty();
    }

    @Test
    void refusesAnEmptyDefinition() {
        assertThat(errors("metadata: {name: x}"))
                .containsExactly(
                        "spec.group: Required value",
                        "spec.scope: Required value",
                        "spec.versions: Invalid value: []: must have exactly one version marked as storage version",
                        "spec.names.plural: Required value",
                        "spec.names.singular: Required value",
                        "spec.names.kind: Required value",
                        "spec.names.listKind: Required value",
                        "status.storedVersions: Invalid value: []: must have at least one stored version",
                        "metadata.name: Invalid value: \"x\": must be spec.names.plural+\".\"+spec.group");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            name: crontabs.stable | name: x.stable                     | metadata.name: Invalid value: "x.stable.example.com": must be spec.names.plural+"."+spec.group
            scope: Namespaced     | scope: Everywhere                  | spec.scope: Unsupported value: "Everywhere": supported values: "Cluster", "Namespaced"
            kind: CronTab         | kind: CronTab, listKind: CronTab   | spec.names.listKind: Invalid value: "CronTab": kind and listKind may not be the same
            kind: CronTab         | kind: Cron_Tab, listKind: L, singular: s | `spec.names.kind: Invalid value: "Cron_Tab": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`
            served: true          | deprecationWarning: old            | spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions
            served: true          | selectableFields: [{jsonPath: .spec.cronSpec}, {jsonPath: .spec.nope}] | spec.selectableFields[1].jsonPath: Invalid value: ".spec.nope": is an invalid path: does not refer to a valid field
            served: true          | selectableFields: [{jsonPath: .spec}] | `spec.selectableFields[0].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.`
            served: true          | selectableFields: [{jsonPath: .spec.cronSpec}, {jsonPath: .spec.cronSpec}] | spec.selectableFields[1].jsonPath: Duplicate value: ".spec.cronSpec"
            served: true          | additionalPrinterColumns: [{name: A, type: text, jsonPath: .a}] | spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string
            served: true          | additionalPrinterColumns: [{name: A, type: string, jsonPath: a}] | spec.additionalPrinterColumns[0].JSONPath: Invalid value: "a": must be a simple json path starting with .
            served: true          | additionalPrinterColumns: [{name: A, type: string}] | spec.additionalPrinterColumns[0].JSONPath: Required value
            served: true          | subresources: {scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .spec.x}} | spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.x": should be a json path under .status
            served: true          | subresources: {scale: {statusReplicasPath: .status.x}} | spec.subresources.scale.specReplicasPath: Required value
            scope: Namespaced     | conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1]}} | spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook
            scope: Namespaced     | conversion: {strategy: Webhook, webhook: {clientConfig: {url: "http://a"}, conversionReviewVersions: [v1]}} | `spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`
            scope: Namespaced     | conversion: {strategy: Webhook, webhook: {clientConfig: {service: {name: a, namespace: b}}, conversionReviewVersions: [v2]}} | spec.conversion.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1
            scope: Namespaced     | preserveUnknownFields: true        | spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead
            """)
    void saysWhatIsWrongWithADefinition(String text, String changed, String message) {
        var yaml = changed.startsWith(text.substring(0, text.indexOf(':') + 1))
                ? CRON_TAB.replaceFirst(text, changed)
                : CRON_TAB.replaceFirst(
                        "( *)" + text, "$1" + text + "\n$1" + java.util.regex.Matcher.quoteReplacement(changed));
        assertThat(errors(yaml).stream()
                        .filter(each -> !each.startsWith("spec.scope: Required"))
                        .toList())
                .containsExactly(message);
    }

    @Test
    void wantsOneStorageVersionAndUniqueNames() {
        var twice = CRON_TAB + CRON_TAB.substring(CRON_TAB.indexOf("  - name: v1"));

        assertThat(errors(twice))
                .hasSize(2)
                .anyMatch(message -> message.startsWith("spec.versions: Invalid value: [")
                        && message.endsWith("]: must contain unique version names"))
                .anyMatch(message -> message.endsWith("must have exactly one version marked as storage version"));
    }

    @Test
    void wantsASchemaForEachVersion() {
        assertThat(errors("""
                metadata: {name: as.b.c}
                spec:
                  group: b.c
                  scope: Cluster
                  names: {plural: as, kind: A}
                  versions: [{name: v1, served: true, storage: true}]
                """)).containsExactly("spec.versions[0].schema.openAPIV3Schema: Required value");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {type: object, properties: {a: {}}}                     | properties[a].type: Required value: must not be empty for specified object fields
            {properties: {a: {type: string}}}                       | type: Required value: must not be empty at the root
            {type: array, items: {type: string}}                    | type: Invalid value: "array": must be object at the root
            {type: object, properties: {a: {type: array}}}          | properties[a].items: Required value: must be specified
            {type: object, properties: {a: {type: array, items: {}}}} | properties[a].items.type: Required value: must not be empty for specified array items
            {type: object, additionalProperties: {type: string}}    | additionalProperties: Forbidden: must not be used at the root
            {type: object, properties: {metadata: {type: object, properties: {labels: {type: object}}}}} | properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified
            {type: object, properties: {a: {type: string, pattern: '('}}} | properties[a].pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`
            {type: object, properties: {a: {type: integer, anyOf: [{type: integer}]}}} | properties[a].anyOf[0].type: Forbidden: must be empty to be structural
            {type: object, anyOf: [{properties: {b: {minimum: 1}}}]} | properties[b]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[b]
            {type: object, properties: {a: {type: string, $ref: '#/x'}}} | properties[a].$ref: Forbidden: $ref is not supported
            {type: object, properties: {a: {type: text}}}           | properties[a].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"
            {type: object, properties: {a: {type: array, uniqueItems: true, items: {type: string}}}} | properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic
            {type: object, properties: {a: {type: object, properties: {b: {type: string}}, additionalProperties: {type: string}}}} | properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive
            {type: object, properties: {a: {type: string, default: 5}}} | properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"
            {type: object, properties: {a: {type: object, default: {b: 1}}}} | properties[a].default: Invalid value: {"b":1}: must not have unknown fields
            {type: object, properties: {kind: {type: string, default: A}}} | properties[kind].default: Forbidden: must not be set in top-level kind
            {type: object, properties: {a: {type: string, x-kubernetes-list-type: set}}} | properties[a].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified
            {type: object, properties: {a: {type: array, x-kubernetes-list-type: map, items: {type: object}}}} | properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map
            {type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}}}}}} | properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property
            {type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: object}}}} | properties[a].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set
            {type: object, properties: {a: {type: object, x-kubernetes-map-type: loose}}} | properties[a].x-kubernetes-map-type: Unsupported value: "loose": supported values: "atomic", "granular"
            {type: object, properties: {a: {type: object, x-kubernetes-embedded-resource: true}}} | properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields
            {type: object, nullable: true}                          | nullable: Forbidden: nullable cannot be true at the root
            {type: object, x-kubernetes-validations: [{rule: ''}]}  | x-kubernetes-validations[0].rule: Required value: rule is not specified
            {type: object, x-kubernetes-validations: [{rule: 'true', reason: Because}]} | x-kubernetes-validations[0].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"
            {type: object, x-kubernetes-validations: [{rule: 'true', fieldPath: .nope}]} | x-kubernetes-validations[0].fieldPath: Invalid value: ".nope": must be a valid path
            {type: object, x-kubernetes-validations: [{rule: '1'}]} | x-kubernetes-validations[0].rule: Invalid value: {"rule":"1"}: cel expression must evaluate to a bool
            {type: object, x-kubernetes-validations: [{rule: 'true', messageExpression: '1'}]} | x-kubernetes-validations[0].messageExpression: Invalid value: {"rule":"true","messageExpression":"1"}: messageExpression must evaluate to a string
            {type: object, x-kubernetes-validations: [{rule: 'true', optionalOldSelf: true}]} | x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule
            {type: object, properties: {a: {type: array, items: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}}}} | properties[a].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[a]
            """)
    void saysWhatIsWrongWithASchema(String schema, String message) {
        assertThat(schemaErrors(schema)).contains("spec.validation.openAPIV3Schema." + message);
    }

    @Test
    void showsWhereAnExpressionIsWrong() {
        assertThat(schemaErrors("{type: object, x-kubernetes-validations: [{rule: self.nope == 1}]}"))
                .containsExactly("spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule: Invalid value:"
                        + " {\"rule\":\"self.nope == 1\"}: compilation failed: ERROR: <input>:1:5: undefined field"
                        + " 'nope'\n | self.nope == 1\n | ....^");
    }

    @Test
    void allowsIntOrStringInBothForms() {
        assertThat(schemaErrors("""
                type: object
                properties:
                  a: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
                  b: {x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: string}]}, {minimum: 1}]}
                """)).isEmpty();
    }

    @Test
    void refusesSchemasThatAreTooDeep() {
        var schema = new StringBuilder("{type: string}");
        for (int i = 0; i < 200; i++) {
            schema.insert(0, "{type: object, properties: {a: ").append("}}");
        }

        assertThat(schemaErrors(schema.toString()))
                .containsExactly(
                        "spec.validation.openAPIV3Schema: Invalid value: \"\": schema is nested too deeply: more"
                                + " than 150 levels");
    }

    @Test
    void refusesFieldsAtTheRootThatStatusWouldLose() {
        var crd = CRON_TAB.replace("served: true", "served: true\n    subresources: {status: {}}")
                .replace(
                        "        type: object\n        properties:",
                        "        minProperties: 1\n        type: object\n        properties:");

        assertThat(errors(crd))
                .singleElement()
                .asString()
                .startsWith("spec.validation.openAPIV3Schema: Invalid value: ")
                .endsWith("fields are allowed at the root of the schema if the status subresource is enabled");
    }

    @Test
    void keepsNamesOnceEstablished() {
        var old = TRIAL.stored(CRON_TAB);
        var changed = KindTrial.yaml(
                CRON_TAB.replace("scope: Namespaced", "scope: Cluster").replace("kind: CronTab", "kind: Tab"));

        assertThat(TRIAL.updateErrors(old, changed)).isEmpty();
        assertThat(TRIAL.updateErrors(
                        old.with(
                                List.of("status", "conditions"),
                                Json.Arr.of(KindTrial.yaml("{type: Established, status: 'True'}"))),
                        changed))
                .containsExactly(
                        "spec.scope: Invalid value: \"Cluster\": field is immutable",
                        "spec.names.kind: Invalid value: \"Tab\": field is immutable");
    }

    @Test
    void keepsVersionsThatObjectsWereStoredIn() {
        var old = TRIAL.stored(CRON_TAB);

        assertThat(TRIAL.updateErrors(old, KindTrial.yaml(CRON_TAB.replace("name: v1", "name: v2"))))
                .containsExactly("status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was"
                        + " previously a storage version, and must remain in spec.versions until a storage migration"
                        + " ensures no data remains persisted in v1 and removes v1 from status.storedVersions");
    }

    @Test
    void protectsTheGroupsOfTheCommunity() {
        assertThat(errors(CRON_TAB.replace("stable.example.com", "stable.k8s.io")))
                .containsExactly(
                        "metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must"
                                + " have approval annotation \"api-approved.kubernetes.io\", see"
                                + " https://github.com/kubernetes/enhancements/pull/1111");
    }

    @Test
    void warnsOfUnknownFormats() {
        var crd = KindTrial.yaml(CRON_TAB.replace("{type: string}", "{type: string, format: made-up}"));

        assertThat(CustomResourceDefinitions.KIND.rules().warnings(crd))
                .containsExactly("unrecognized format \"made-up\"");
    }

    @Test
    void isListedByNameAndCreation() {
        assertThat(TRIAL.headings()).containsExactly("Name", "Created At");
        assertThat(TRIAL.row(
                        "{metadata: {name: a.b.c, creationTimestamp: '2024-01-01T00:00:00Z'}}", "2024-01-02T00:00:00Z"))
                .containsExactly("a.b.c", "2024-01-01T00:00:00Z");
    }
}
