// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "../../api/client";
import type { Asked } from "../../api/use";
import { Name, RuleText, Sentence } from "../../parts/Name";
import { Answered, Empty } from "../../parts/states";
import { formatRoute } from "../../route";
import { useSession } from "../../session";
import { many, percent } from "../../words";

interface Props {
  asked: Asked<Schema<"Clusters">>;
  opened: string;
  onOpen: (formula: string) => void;
}

/** Entities that the functions treat alike, each cluster by the formula that tells it. */
export function Clusters({ asked, opened, onOpen }: Props) {
  const { run } = useSession();
  return (
    <Answered asked={asked} waiting="Finding clusters; the first time this takes a while">
      {({ clusters, explained }) =>
        clusters.length < 2 ? (
          <Empty title="There is but one cluster">No formula of the model divides the entities.</Empty>
        ) : (
          <>
            <ol class="clusters">
              {clusters.map((cluster, number) => (
                <li key={cluster.formula} class={cluster.formula === opened ? "current" : undefined}>
                  <svg class="swatch" viewBox="0 0 20 20" aria-hidden="true">
                    <circle class={`cluster-${number}`} cx="10" cy="10" r="9" />
                    <text x="10" y="14">
                      {number + 1}
                    </text>
                  </svg>
                  <div>
                    <a
                      class="open"
                      href={formatRoute("functions", { run: run.name, formula: cluster.formula })}
                      aria-current={cluster.formula === opened ? "true" : undefined}
                      onClick={() => onOpen(cluster.formula)}
                    >
                      <Sentence text={cluster.english} />
                    </a>
                    <RuleText text={cluster.formula} most={160} />
                    <p class="figures">
                      <span>{many(cluster.count, "entity", "entities")}</span>
                      <span>{percent(cluster.share)}</span>
                      {cluster.examples.length > 0 && (
                        <span>
                          such as{" "}
                          {cluster.examples.slice(0, 3).map(({ name, label }, index) => (
                            <span key={name}>
                              {index > 0 && ", "}
                              <Name name={name} label={label} most={24} />
                            </span>
                          ))}
                        </span>
                      )}
                    </p>
                  </div>
                </li>
              ))}
            </ol>
            <p class="note">They explain {percent(explained)} of the variance of the functions. Choose one to mark it in the space.</p>
          </>
        )
      }
    </Answered>
  );
}
