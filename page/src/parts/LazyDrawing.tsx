// SPDX-License-Identifier: Apache-2.0
import type { ComponentProps, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Drawing } from "./Drawing";
import { Busy } from "./states";

type Props = ComponentProps<typeof Drawing>;
let loaded: ComponentType<Props> | undefined;

/** The drawing, whose code is fetched when it is first needed. */
export function LazyDrawing(props: Props) {
  const [ready, setReady] = useState(loaded !== undefined);
  useEffect(() => {
    if (loaded) return;
    let wanted = true;
    void import("./Drawing").then(({ Drawing }) => {
      loaded = Drawing;
      if (wanted) setReady(true);
    });
    return () => {
      wanted = false;
    };
  }, []);
  const Ready = loaded;
  return ready && Ready ? (
    <Ready {...props} />
  ) : (
    <div class={props.tall ? "drawing tall" : "drawing"}>
      <Busy what="Drawing" />
    </div>
  );
}
