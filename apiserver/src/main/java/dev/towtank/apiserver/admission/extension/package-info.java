/// What webhooks and policies have in common: which requests they are about, and how they see them.
@NullMarked
package dev.towtank.apiserver.admission.extension;

import org.jspecify.annotations.NullMarked;
