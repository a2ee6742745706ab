package dev.towtank.controllers.workloads.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.IndexedCache;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import org.junit.jupiter.api.Test;

class ClaimTest {

    private static final Resource OWNER =
            object("{\"kind\":\"Job\",\"metadata\":{\"name\":\"pi\",\"namespace\":\"team\",\"uid\":\"pi-uid\"}}");

    private final IndexedCache cache = new IndexedCache();

    @Test
    void namesAreTakenByWhatIsThere() {
        cache.put(child("pi-a"));
        cache.put(object("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"pi-b\",\"namespace\":\"team\",\"uid\":\"b\"}}"));
        var candidates = Claim.Candidates.of(cache, OWNER);

        assertThat(candidates.taken()).accepts("pi-a", "pi-b").rejects("pi-c");
    }

    @Test
    void aChildThatCameLaterDoesNotTakeItsName() {
        var candidates = Claim.Candidates.of(cache, OWNER);
        cache.put(child("pi-a"));

        assertThat(candidates.owned()).isEmpty();
        assertThat(candidates.taken()).rejects("pi-a");
    }

    private static Resource child(String name) {
        return object("""
                {"kind":"Pod","metadata":{"name":"%s","namespace":"team","uid":"%s",
                 "ownerReferences":[{"kind":"Job","name":"pi","uid":"pi-uid","controller":true}]}}
                """.formatted(name, name));
    }

    private static Resource object(String json) {
        return Resource.of(JsonText.parseObject(json));
    }
}
