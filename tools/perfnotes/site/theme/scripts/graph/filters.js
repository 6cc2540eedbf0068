// The controls above the picture. Their state is kept in the address of the page.
import { made, say, TERM } from "./data.js";

/** @param {GraphData} data */
export function filters(data) {
  const form = made("div", "pn-graph-filter");
  /** @type {Record<string, HTMLSelectElement | HTMLInputElement>} */
  const controls = {};
  /** @type {(key: string, name: string, control: HTMLSelectElement | HTMLInputElement) => void} */
  const add = (key, name, control) => {
    const label = made("label", `pn-graph-field pn-graph-${key}`, name);
    control.name = key;
    controls[key] = control;
    label.append(control);
    form.append(label);
  };
  /** @param {string[][]} options */
  const choice = (...options) => {
    const select = document.createElement("select");
    for (const [value, name] of options) select.append(new Option(name, value));
    return select;
  };
  /** @param {string} type */
  const input = (type) => Object.assign(document.createElement("input"), { type });
  add("find", say("Find in the graph", "在图中查找"), input("search"));
  add("topic", say("Topic", "主题"), choice(["", say("all", "全部")], ...data.topics.map((name, i) => [String(i), name])));
  add("papers", say("Papers", "文献"), choice(["", say("most cited", "引用最多")], ["all", say("all", "全部")], ["none", say("none", "不显示")]));
  if (data.nodes.some(([kind]) => kind === TERM)) add("terms", say("Terms", "术语"), input("checkbox"));
  const status = made("span", "pn-graph-status");
  status.setAttribute("role", "status");
  form.append(status);

  const given = new URL(location.href).searchParams;
  /** @param {HTMLSelectElement | HTMLInputElement | undefined} control */
  const checked = (control) => Boolean(control && "checked" in control && control.checked);
  const fields = {
    form,
    /** @type {(key: string) => void} */
    onchange: () => {},
    onenter: () => {},
    values: () => ({
      find: controls.find.value.trim(), topic: controls.topic.value, papers: controls.papers.value,
      terms: checked(controls.terms),
    }),
  };
  for (const [key, control] of Object.entries(controls)) {
    const value = given.get(key);
    if (value !== null && "checked" in control && control.type === "checkbox") control.checked = true;
    else if (value !== null) control.value = value;
    if ("selectedIndex" in control && control.selectedIndex < 0) control.value = "";
    control.addEventListener("input", () => {
      const address = new URL(location.href);
      for (const [name, value] of Object.entries(fields.values())) {
        if (value) address.searchParams.set(name, value === true ? "yes" : value);
        else address.searchParams.delete(name);
      }
      history.replaceState(history.state, "", address);
      fields.onchange(key);
    });
  }
  controls.find.addEventListener("keydown", (event) => {
    if (/** @type {KeyboardEvent} */ (event).key === "Enter") fields.onenter();
  });
  return { fields, status };
}
