// SPDX-License-Identifier: Apache-2.0
// A graph on a canvas. What it shows stands beside it in words, for those who do not see it.
import cytoscape, { type Core, type ElementDefinition, type StylesheetJson } from "cytoscape";
import { useEffect, useRef } from "preact/hooks";
import { shorten, visible } from "../words";
import type { Point } from "./layout";

export interface DrawnNode extends Point {
  id: string;
  label: string;
  kind: "end" | "via" | "open" | "chosen";
}
export interface DrawnEdge {
  id: string;
  source: string;
  target: string;
  label: string;
  /** `far` ones are drawn faintly and have no words. */
  kind: "fact" | "far" | "hidden" | "added" | "asked";
}

interface Props {
  title: string;
  nodes: readonly DrawnNode[];
  edges: readonly DrawnEdge[];
  onNode?: (id: string) => void;
  onEdge?: (id: string) => void;
  tall?: boolean;
}

// Cytoscape would put a style element into the page, which the policy forbids; it does not where one of this name stands.
function forestallStyle(): void {
  const name = "__________cytoscape_stylesheet";
  if (document.getElementById(name)) return;
  const mark = document.createElement("meta");
  mark.id = name;
  document.head.append(mark);
}

function styles(many: boolean): StylesheetJson {
  const paint = getComputedStyle(document.documentElement);
  const colour = (name: string) => paint.getPropertyValue(name).trim();
  const family = "system-ui, sans-serif";
  return [
    {
      selector: "node",
      style: {
        width: 14,
        height: 14,
        "background-color": colour("--node"),
        "border-width": 1.5,
        "border-color": colour("--surface"),
        label: "data(shown)",
        color: colour("--ink"),
        "font-family": family,
        "font-size": 12,
        "min-zoomed-font-size": many ? 9 : 5,
        "text-valign": "bottom",
        "text-margin-y": 4,
        "text-background-color": colour("--surface"),
        "text-background-opacity": many ? 0 : 0.85,
        "text-background-padding": "1px",
      },
    },
    { selector: "node.end", style: { width: 20, height: 20, "background-color": colour("--accent"), "font-weight": 600, "text-valign": "top", "text-margin-y": -4 } },
    { selector: "node.open", style: { "background-color": colour("--accent") } },
    { selector: "node.chosen", style: { width: 20, height: 20, "background-color": colour("--warn"), "font-weight": 600 } },
    {
      selector: "edge",
      style: {
        width: 1.5,
        "line-color": colour("--edge"),
        "target-arrow-color": colour("--edge"),
        "target-arrow-shape": "triangle",
        "arrow-scale": 0.9,
        "curve-style": many ? "straight" : "bezier",
        label: "data(shown)",
        color: colour("--muted"),
        "font-family": family,
        "font-size": 11,
        "min-zoomed-font-size": many ? 10 : 5,
        "text-rotation": "autorotate",
        "text-background-color": colour("--surface"),
        "text-background-opacity": many ? 0 : 0.9,
        "text-background-padding": "1px",
      },
    },
    { selector: "edge.far", style: { label: "", opacity: 0.45, width: 1 } },
    { selector: "edge.hidden", style: { "line-style": "dashed", opacity: 0.5, "line-color": colour("--bad"), "target-arrow-color": colour("--bad") } },
    { selector: "edge.added", style: { width: 2.5, "line-color": colour("--good"), "target-arrow-color": colour("--good") } },
    {
      selector: "edge.asked",
      style: { "line-style": "dashed", width: 2.5, "line-color": colour("--accent"), "target-arrow-color": colour("--accent"), color: colour("--accent") },
    },
  ];
}

/** All of it, but never larger than life. */
function fit(cy: Core): void {
  cy.fit(undefined, 40);
  if (cy.zoom() <= 1.15) return;
  cy.zoom(1.15);
  cy.center();
}

/** Among very many nodes it is the picture that is moved, wherever it is taken hold of. */
function elements(nodes: readonly DrawnNode[], edges: readonly DrawnEdge[], many: boolean): ElementDefinition[] {
  return [
    ...nodes.map(({ id, label, kind, x, y }) => ({
      group: "nodes" as const,
      data: { id: `n ${id}`, name: id, shown: shorten(visible(label), 24) },
      position: { x, y },
      classes: kind,
      pannable: many,
    })),
    ...edges.map(({ id, source, target, label, kind }) => ({
      group: "edges" as const,
      data: { id: `e ${id}`, name: id, source: `n ${source}`, target: `n ${target}`, shown: shorten(visible(label), 22) },
      classes: kind,
    })),
  ];
}

export function Drawing({ title, nodes, edges, onNode, onEdge, tall = false }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const core = useRef<Core | null>(null);
  const act = useRef({ onNode, onEdge });
  act.current = { onNode, onEdge };
  const many = nodes.length + edges.length > 400;

  useEffect(() => {
    if (!place.current) return;
    forestallStyle();
    const cy = cytoscape({
      container: place.current,
      layout: { name: "preset" },
      style: styles(many),
      minZoom: 0.03,
      maxZoom: 3,
      // Thousands of nodes: what moves is a picture, drawn anew when it stands still.
      textureOnViewport: many,
      hideEdgesOnViewport: many,
      pixelRatio: many ? 1 : "auto",
      autoungrabify: many,
    });
    cy.on("tap", "node", (event) => act.current.onNode?.(event.target.data("name") as string));
    cy.on("tap", "edge", (event) => act.current.onEdge?.(event.target.data("name") as string));
    core.current = cy;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const repaint = () => cy.style(styles(many));
    dark.addEventListener("change", repaint);
    const watch = new ResizeObserver(() => {
      cy.resize();
      fit(cy);
    });
    watch.observe(place.current);
    return () => {
      watch.disconnect();
      dark.removeEventListener("change", repaint);
      cy.destroy();
      core.current = null;
    };
  }, [many]);

  useEffect(() => {
    const cy = core.current;
    if (!cy) return;
    const known = cy.nodes().length;
    cy.batch(() => {
      const wanted = new Map(elements(nodes, edges, many).map((element) => [element.data.id as string, element]));
      cy.elements().forEach((element) => {
        const next = wanted.get(element.id());
        if (!next) {
          element.remove();
          return;
        }
        wanted.delete(element.id());
        // Only what is new costs time: of thousands most stay as they are.
        if (element.data("shown") !== next.data["shown"]) element.data("shown", next.data["shown"]);
        if (!element.hasClass(String(next.classes))) element.classes(next.classes ?? "");
        if (next.position && element.isNode()) {
          const { x, y } = element.position();
          if (x !== next.position.x || y !== next.position.y) element.position(next.position);
        }
      });
      cy.add([...wanted.values()]);
    });
    if (cy.nodes().length !== known) fit(cy);
  }, [nodes, edges, many]);

  const zoom = (by: number) => {
    const cy = core.current;
    if (cy) cy.zoom({ level: cy.zoom() * by, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
  };
  return (
    <div class={tall ? "drawing tall" : "drawing"}>
      <div class="canvas" ref={place} role="img" aria-label={title} />
      <div class="tools" role="group" aria-label="Picture">
        <button type="button" title="Larger" aria-label="Larger" onClick={() => zoom(1.3)}>
          +
        </button>
        <button type="button" title="Smaller" aria-label="Smaller" onClick={() => zoom(1 / 1.3)}>
          −
        </button>
        <button type="button" onClick={() => core.current && fit(core.current)}>
          Fit
        </button>
      </div>
    </div>
  );
}
