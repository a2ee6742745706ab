/// What clients see, as pure functions of answers: lists, tables, metadata, watch frames, discovery documents.
///
/// Plain JSON is never parsed on its way out: lists and frames are put together from the stored bytes. All other
/// forms are made from trees.
@NullMarked
package dev.towtank.apiserver.view;

import org.jspecify.annotations.NullMarked;
