package dev.towtank.controllers.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretsFeatureTest {

    /// What stores read of other kinds they read as the account that they name, not as this feature.
    @Test
    void itMayNotReadEverything() {
        assertThat(new SecretsFeature().permissions())
                .isNotEmpty()
                .noneMatch(permission -> permission.groups().contains("*"));
    }
}
